// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const settle = require('../fn/settle.js');
const {page} = require('./dom.js');

/** @type {(more?: object) => any} */
const editor = (more = {}) => {
    const state = {scratchGui: {projectState: {loadingState: 'SHOWING_WITHOUT_ID'}, targets: {editingTarget: 'a'}}};
    return {
        SB: {DropDownDiv: {getContentDiv: () => null}},
        workspace: null,
        vm: {runtime: {threads: [], renderer: null}, editingTarget: {id: 'a'}},
        state: {store: {getState: () => state}},
        ...more
    };
};

test('a page in which nothing happens is quiet after one turn', async t => {
    page(t, '<p>still</p>');
    const {reason, waited_ms, pending} = await settle(editor(), {deadline_ms: 2000});
    assert.equal(reason, 'quiet');
    assert.deepEqual(pending, []);
    assert.ok(waited_ms < 1000);
});

test('a page that never comes to rest is given up at the deadline, with the reason', async t => {
    const window = page(t, '<p>busy</p>');
    let n = 0;
    const timer = setInterval(() => window.document.querySelector('p').setAttribute('class', `c${n++}`), 1);
    t.after(() => clearInterval(timer));
    const {reason, waited_ms, pending} = await settle(editor(), {deadline_ms: 120});
    assert.equal(reason, 'deadline');
    assert.ok(waited_ms >= 120);
    assert.ok(pending.includes('react'));
});

test('a running project may change the stage without end', async t => {
    const window = page(t, '<aside><p>0</p></aside>');
    let n = 0;
    const timer = setInterval(() => window.document.querySelector('p').setAttribute('class', `c${n++}`), 1);
    t.after(() => clearInterval(timer));
    const vm = {runtime: {threads: [{updateMonitor: false}], renderer: null}, editingTarget: {id: 'a'}};
    const steps = setInterval(() => (vm.runtime.threads = [...vm.runtime.threads]), 10);
    t.after(() => clearInterval(steps));
    assert.equal((await settle(editor({vm}), {deadline_ms: 2000})).reason, 'quiet');
});

test('a script that was started is given its first step', async t => {
    page(t, '');
    const vm = {runtime: {threads: [{updateMonitor: false}], renderer: null}, editingTarget: {id: 'a'}};
    let stepped = false;
    setTimeout(() => {
        stepped = true;
        vm.runtime.threads = [];
    }, 80);
    assert.equal((await settle(editor({vm}), {deadline_ms: 2000})).reason, 'quiet');
    assert.equal(stepped, true);
});

test('the palette is taken to the end of its way at once', async t => {
    page(t, '');
    /** @type {number[]} */
    const set = [];
    const inner = {scrollbar: {setY: (/** @type {number} */ y) => set.push(y)}, addChangeListener: () => {}, removeChangeListener: () => {}};
    const flyout = {scrollTarget: 900, getWorkspace: () => inner};
    const workspace = {getFlyout: () => flyout, addChangeListener: () => {}, removeChangeListener: () => {}};
    assert.equal((await settle(editor({workspace}), {deadline_ms: 2000})).reason, 'quiet');
    assert.deepEqual(set, [900]);
    assert.equal(flyout.scrollTarget, undefined);
});

test('a project that is still loading is waited for', async t => {
    page(t, '');
    const ctx = editor();
    const {projectState} = ctx.state.store.getState().scratchGui;
    projectState.loadingState = 'LOADING_VM_WITH_ID';
    setTimeout(() => {
        projectState.loadingState = 'SHOWING_WITH_ID';
    }, 60);
    const {reason, waited_ms} = await settle(ctx, {deadline_ms: 2000});
    assert.equal(reason, 'quiet');
    assert.ok(waited_ms >= 40);
});

test('the paint editor is waited for until it has its costume, also when it opens again', async t => {
    const window = page(t, '<main></main>');
    for (const pointer of [-1, 0]) {
        const scratchPaint = {undo: {pointer}};
        const ctx = editor();
        Object.assign(ctx.state.store.getState(), {scratchPaint});
        const settled = settle(ctx, {deadline_ms: 2000});
        window.document.querySelector('main').innerHTML = '<canvas class="paper-canvas_x"></canvas>';
        setTimeout(() => (scratchPaint.undo = {pointer: pointer + 1}), 200);
        const {reason, waited_ms} = await settled;
        assert.equal(reason, 'quiet');
        assert.ok(waited_ms > 190, `pointer ${pointer}: ${waited_ms}`);
        window.document.querySelector('main').innerHTML = '';
    }
});
