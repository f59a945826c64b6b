// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {clickPoint, mouseData, pointsNear} = require('../lib/pointer.js');
const {fakeVm} = require('./fake-vm.js');

test('stage coordinates become canvas pixels at any size', () => {
    assert.deepEqual(mouseData({clientWidth: 240, clientHeight: 180}, 120, 90), {
        x: 180,
        y: 45,
        canvasWidth: 240,
        canvasHeight: 180
    });
});

test('points stay inside the stage and start at the centre', () => {
    const points = pointsNear({left: 230, right: 300, top: 10, bottom: -10}, {x: 232, y: 0});
    assert.deepEqual(points[0], {x: 232, y: 0});
    assert.ok(points.every(point => point.x < 240));
    assert.ok(points.length > 5);
});

test('a sprite with a hole is clicked beside the hole; a covered one is not clicked', () => {
    const vm = fakeVm();
    const target = /** @type {any} */ ({x: 0, y: 0, drawableID: 7});
    vm.runtime.renderer.pick = (/** @type {number} */ x) => (x > 244 ? 7 : 0);
    const point = clickPoint(vm, target);
    assert.ok(point && point.x > 4 && point.x <= 10, JSON.stringify(point));
    vm.runtime.renderer.pick = () => 0;
    assert.equal(clickPoint(vm, target), null);
});
