// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {SEAMS, enter, seams} = require('../lib/editor-seams');

const {current, reference} = SEAMS;

test('each generation has every seam', () => {
    assert.deepEqual(Object.keys(reference).sort(), Object.keys(current).sort());
});

test('a page works in the editor that it has, in the current one unless told', () => {
    assert.equal(seams().name, 'current');
    enter('reference');
    assert.equal(seams().name, 'reference');
    enter('current');
});

test('a palette that glides is brought to its end by its own means', () => {
    /** @type {any[]} */
    const calls = [];
    const now = {scrollTarget: 90, getWorkspace: () => ({scrollbar: {setY: (/** @type {number} */ y) => calls.push(y)}})};
    assert.equal(current.glideTarget(now), 90);
    current.endGlide(now);
    assert.equal(current.glideTarget(now), null);
    const then = {scrollTarget: 80, scrollbar_: {set: (/** @type {number} */ y) => calls.push(y)}};
    assert.equal(reference.glideTarget(then), 80);
    reference.endGlide(then);
    assert.equal(then.scrollTarget, 80, 'the next frame of the palette drops it');
    assert.deepEqual(calls, [90, 80]);
});

test('the older editor takes a target at its top for none', () => {
    assert.equal(reference.glideTarget({scrollTarget: 0}), null);
    assert.equal(current.glideTarget({scrollTarget: 0}), 0);
});

test('a category is opened if there is one', () => {
    /** @type {string[]} */
    const opened = [];
    const toolbox = {
        categoryMenu_: {categories_: [{id_: 'looks'}]},
        setSelectedCategoryById: (/** @type {string} */ id) => opened.push(id)
    };
    const workspace = {getToolbox: () => toolbox};
    assert.equal(reference.openCategory(workspace, 'looks'), true);
    assert.equal(reference.openCategory(workspace, 'pen'), false);
    assert.deepEqual(opened, ['looks']);
});

test('what the pointer carries is told in the same words', () => {
    const block = {id: 'b', dragStrategy: {connectionCandidate: {local: 1, neighbour: 2}}};
    const candidate = {local: 1, neighbour: 2};
    const now = {currentGesture_: {dragger: {draggable: block}, flyout: {}}};
    const manager = {localConnection_: 1, closestConnection_: 2};
    const then = {currentGesture_: {blockDragger_: {draggingBlock_: block, draggedConnectionManager_: manager}, flyout_: null}};
    assert.deepEqual(current.carried(now), {block, palette: true, candidate: {...candidate}});
    assert.deepEqual(reference.carried(then), {block, palette: false, candidate});
    for (const one of [current, reference]) {
        assert.equal(one.carried({currentGesture_: null}), null);
        assert.equal(one.panning({currentGesture_: null}), false);
    }
});

test('the older editor gets the mutation that it draws stop blocks by', () => {
    const stop = (/** @type {string} */ value) => ({opcode: 'control_stop', fields: {STOP_OPTION: {value}}});
    /** @type {any} */
    const blocks = {a: stop('all'), b: stop('other scripts in sprite'), c: {opcode: 'looks_show', fields: {}}};
    const targets = [{blocks: {_blocks: {}}}, {blocks: {_blocks: blocks}}];
    assert.equal(current.complete(targets), false);
    assert.equal(reference.complete(targets), true);
    assert.deepEqual([blocks.a.mutation.hasnext, blocks.b.mutation.hasnext, blocks.c.mutation], ['false', 'true', undefined]);
    assert.equal(reference.complete(targets), false);
});

test('connections, slots and the undo stack are found in both', () => {
    /** @type {any} */
    const slot = {x: 1, y: 2, x_: 1, y_: 2, getParentInput: () => ({name: 'STEPS'})};
    slot.getSourceBlock = () => ({inputList: [{connection: null, name: 'A'}, {connection: slot, name: 'STEPS'}]});
    assert.deepEqual(current.placesIn({connections: [slot]}), reference.placesIn({connections_: [slot]}));
    assert.deepEqual([current.inputOf(slot)?.name, reference.inputOf(slot)?.name], ['STEPS', 'STEPS']);
    const workspace = {getUndoStack: () => [1, 2], getRedoStack: () => [], undoStack_: [1, 2], redoStack_: []};
    assert.deepEqual(current.undoStacks(workspace), reference.undoStacks(workspace));
});
