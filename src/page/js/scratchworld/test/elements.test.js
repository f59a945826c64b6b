// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {page} = require('../../page/test/dom');
const listElements = require('../fn/elements');

const ctx = /** @type {any} */ ({
    vm: {editingTarget: {blocks: {getBlock: (/** @type {string} */ id) => (id === 'b1' ? {opcode: 'looks_show'} : null)}}},
    workspace: {getFlyout: () => ({getWorkspace: () => ({getBlockById: () => ({type: 'motion_movesteps'})})})}
});

/** @type {(name: string, selector: string) => any} */
const list = (name, selector) => listElements(ctx, {selectors: [{name, selector}]});

test('boxes are whole pixels, and what is covered or out of view is left out', t => {
    page(t, `<p data-box="1.4 2.6 11.4 12.6">one</p><p data-box="2000 0 2010 10">far</p>
        <p data-box="100 100 120 120">under</p><div data-box="90 90 130 130">over</div>`);
    assert.deepEqual(list('words', 'p'), [{index: 0, position: {x: 1, y: 3, width: 10, height: 10}, text: 'one', type: 'words'}]);
    assert.deepEqual(list('words', 'p:::'), []);
});

test('inputs tell what is typed now, others their label before their text', t => {
    page(t, `<input data-box="0 0 10 10" name="n" value="7" placeholder="how many">
        <input data-box="20 0 30 10" type="checkbox"><button data-box="40 0 50 10" title="Go" aria-label="Start"></button>`);
    assert.deepEqual(list('x', 'input').map((/** @type {any} */ row) => row.text), ['n value: 7 placeholder: how many', 'unchecked']);
    assert.equal(list('x', 'button')[0].text, 'Start');
});

test('blocks are named by type, those of the palette come last and default blocks not at all', t => {
    page(t, `<div class="blocklyFlyout"><div class="blocklyDraggable" data-id="x" data-box="0 60 10 70">move</div>
        <div class="blocklyDraggable blocklyShadow" data-box="0 80 10 90">10</div></div>
        <div class="blocklyDraggable" data-id="b1" data-box="0 0 10 10">show</div>
        <div class="blocklyDraggable" data-id="gone" data-box="0 20 10 30">?</div>`);
    const rows = list('blocks', '.blocklyDraggable');
    assert.deepEqual(rows.map((/** @type {any} */ row) => row.block_name), ['looks_show on canvas', 'gone on canvas', 'motion_movesteps']);
});
