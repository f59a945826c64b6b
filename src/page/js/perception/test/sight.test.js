// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');

const {lettersSeen, shares} = require('../lib/sight');

const box = (/** @type {number[]} */ [left, top, right, bottom]) => ({left, top, right, bottom});
const inside = (/** @type {any} */ {left, top, right, bottom}, /** @type {number} */ x, /** @type {number} */ y) =>
    x >= left && x < right && y >= top && y < bottom;

/** Boxes as a pile, the last one on top. */
const pile = (/** @type {any[]} */ boxes) => (/** @type {number} */ x, /** @type {number} */ y) =>
    boxes.map((one, at) => ({one, at})).filter(({one}) => inside(one, x, y)).map(({at}) => at).reverse();

const WHOLE = box([0, 0, 300, 300]);

test('a covered half is not seen', () => {
    const boxes = [box([0, 0, 60, 30]), box([30, 0, 90, 30])];
    const [lower, upper] = shares(boxes.map(one => ({box: one, ancestors: []})), WHOLE, pile(boxes));
    assert.deepEqual([lower.area, lower.seen], [1800, 900]);
    assert.deepEqual([upper.area, upper.seen], [1800, 1800]);
});

test('a block in a slot takes nothing from the block around it', () => {
    const boxes = [box([0, 0, 60, 30]), box([15, 6, 45, 24])];
    const [outer, inner] = shares([{box: boxes[0], ancestors: []}, {box: boxes[1], ancestors: [0]}], WHOLE, pile(boxes));
    assert.equal(outer.area, outer.seen);
    assert.equal(outer.area + inner.area, 1800);
});

test('what is out of view has no area', () => {
    const boxes = [box([0, 0, 60, 30])];
    const [cut] = shares([{box: boxes[0], ancestors: []}], box([30, 0, 300, 300]), pile(boxes));
    assert.equal(cut.area, 900);
});

test('a foreign thing on top hides, and counts for nobody', () => {
    const [hidden] = shares([{box: box([0, 0, 30, 30]), ancestors: []}], WHOLE, () => [-1, 0]);
    assert.deepEqual(hidden, {area: 900, seen: 0, patch: 0});
});

test('what peeps out is seen and no patch', () => {
    const boxes = [box([0, 0, 60, 30]), box([0, 6, 60, 36])];
    const [edge, whole] = shares(boxes.map(one => ({box: one, ancestors: []})), WHOLE, pile(boxes));
    assert.deepEqual([edge.seen, edge.patch], [360, 0]);
    assert.equal(whole.patch, 18 * 8 * 9);
});

test('letters are seen, hidden, or cut', () => {
    const letters = [box([0, 0, 10, 10]), box([10, 0, 20, 10]), box([20, 0, 30, 10])];
    const cover = (/** @type {number} */ x) => (x > 14 ? [1, 0] : [0]);
    assert.equal(lettersSeen(letters, 0, cover), '1?0');
});
