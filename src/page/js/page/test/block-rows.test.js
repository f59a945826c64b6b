// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {blockRows} = require('../lib/block-rows.js');
const {block, label, slot, value} = require('./blocks.js');

const VIEW = {left: 300, top: 90, right: 780, bottom: 720};
const node = (/** @type {number[]} */ ...[left, top, right, bottom]) => ({getBoundingClientRect: () => ({left, top, right, bottom})});
const workspace = (/** @type {any[]} */ ...tops) => ({getTopBlocks: () => tops});

test('a block has its own box, followed by its fields', () => {
    const shadow = block('math_number', [slot('', null, {...value('NUM', '10'), getSvgRoot: () => node(350, 105, 380, 120), getSourceBlock: () => shadow})], {shadow: true, node: node(350, 105, 380, 120)});
    const text = {...label('move'), getSvgRoot: () => node(320, 105, 345, 120), getSourceBlock: () => move};
    const move = block('motion_movesteps', [slot('STEPS', shadow, text)], {node: node(310, 100, 400, 130)});
    const rows = blockRows(workspace(move), VIEW, true);
    assert.deepEqual(rows.map(row => [row.type, row.text]), [
        ['blocks', 'motion_movesteps on canvas: move 10'],
        ['inputs', 'value: 10 field: STEPS of motion_movesteps on canvas']
    ]);
    assert.deepEqual(rows[0].box, {left: 310, top: 100, right: 400, bottom: 130});
    assert.equal(rows[0].handles?.length, 1);
});

test('a box ends where the view ends, and a stack out of view is skipped', () => {
    const half = block('a', [], {node: node(200, 600, 400, 800)});
    const gone = block('b', [], {node: node(310, 730, 400, 760)});
    const rows = blockRows(workspace(half, gone), VIEW, true);
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0].box, {left: 300, top: 600, right: 400, bottom: 720});
});

test('a fixed part of a block is not a block of its own', () => {
    const fixed = block('procedures_prototype', [], {node: node(310, 100, 400, 130), movable: false});
    assert.deepEqual(blockRows(workspace(fixed), VIEW, true), []);
});
