// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {center, intersect, isAtLeast, probes, toPixels, union} = require('../lib/boxes.js');

const box = (/** @type {number[]} */ ...[left, top, right, bottom]) => ({left, top, right, bottom});

test('the centre is that of the whole pixels, rounded down', () => {
    assert.deepEqual(center(box(9.6, 20.4, 15.1, 27)), {x: 13, y: 23});
});

test('boxes that do not touch have no common part', () => {
    assert.equal(isAtLeast(intersect(box(0, 0, 10, 10), box(20, 0, 30, 10)), 1), false);
    assert.deepEqual(intersect(box(0, 0, 10, 10), box(5, 6, 30, 30)), box(5, 6, 10, 10));
    assert.deepEqual(union(box(0, 0, 10, 10), box(5, 6, 30, 30)), box(0, 0, 30, 30));
});

test('every probe is a whole pixel inside the box, the centre first', () => {
    for (const one of [box(0, 0, 5, 5), box(10.5, 20.5, 110.2, 25.6), box(3, 3, 4, 400)]) {
        const points = probes(one);
        assert.deepEqual(points[0], center(one));
        for (const {x, y} of points) {
            assert.ok(Number.isInteger(x) && x >= Math.floor(one.left) && x < one.right, `${x}`);
            assert.ok(Number.isInteger(y) && y >= Math.floor(one.top) && y < one.bottom, `${y}`);
        }
    }
});

test('pixels are rounded one by one', () => {
    assert.deepEqual(toPixels(box(1.5, 2.4, 10.4, 20)), {x: 2, y: 2, width: 9, height: 18});
});
