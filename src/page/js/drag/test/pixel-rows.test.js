// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {runsOf, sparseRunsOf} = require('../lib/pixel-rows');

const box = {left: 3, top: 5, right: 62, bottom: 44};

test('runs are stretches of a row', () => {
    const even = (/** @type {number} */ x, /** @type {number} */ y) => y === 6 && x !== 5 && x < 8;
    assert.deepEqual(runsOf(box, even), [[6, 3, 4], [6, 6, 7]]);
    assert.deepEqual(runsOf({left: 0, top: 0, right: 1, bottom: 0}, () => true), [[0, 0, 1]]);
});

test('few looks find the same set', () => {
    const shapes = {
        disc: (/** @type {number} */ x, /** @type {number} */ y) => Math.hypot(x - 30, y - 25) <= 17,
        block: (/** @type {number} */ x, /** @type {number} */ y) => x >= 3 && x <= 58 && y >= 8 && y <= 40 && !(x > 20 && y > 17 && y < 30),
        all: () => true,
        none: () => false
    };
    for (const [name, has] of Object.entries(shapes)) {
        assert.deepEqual(sparseRunsOf(box, has, []), runsOf(box, has), name);
    }
});

test('a thin strip between two outlines is found', () => {
    const slot = {left: 20.2, top: 6.4, right: 50.7, bottom: 30};
    const has = (/** @type {number} */ x, /** @type {number} */ y) => !(x >= slot.left && x <= slot.right && y >= slot.top && y <= slot.bottom);
    const around = {left: 2.9, top: 5.1, right: 62.8, bottom: 44.6};
    assert.deepEqual(sparseRunsOf(box, has, [around, slot]), runsOf(box, has));
});

test('the inside of a large set is not looked at pixel by pixel', () => {
    let looks = 0;
    sparseRunsOf({left: 0, top: 0, right: 399, bottom: 399}, (x, y) => {
        looks++;
        return Math.hypot(x - 200, y - 200) < 180;
    }, []);
    assert.ok(looks < 40000, `${looks} looks for 160000 pixels`);
});
