// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {clickPoint, mouseData, pointsNear, stagePoint} = require('../lib/pointer.js');
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

test('no coordinate is exactly on the edge, where the VM would ignore it', () => {
    const canvas = {clientWidth: 480, clientHeight: 360};
    const corner = mouseData(canvas, -240, 180);
    assert.ok(corner.x > 0 && corner.y > 0 && corner.x < 0.001 && corner.y < 0.001);
    const other = mouseData(canvas, 240, -180);
    assert.ok(other.x < 480 && other.y < 360 && Math.round(other.x) === 480 && Math.round(other.y) === 360);
    assert.ok(mouseData(canvas, 250, 0).x > 480, 'off the stage stays off the stage');
});

test('the stage is clicked beside the sprites, if there is a place', () => {
    const vm = fakeVm([
        {isStage: true, sprite: {name: 'Stage'}, drawableID: 0},
        {sprite: {name: 'Fog'}, drawableID: 7}
    ]);
    vm.runtime.renderer.pick = (/** @type {number} */ x) => (x > 300 ? 0 : 7);
    const point = stagePoint(vm);
    assert.ok(point && point.x > 60, JSON.stringify(point));
    vm.runtime.renderer.pick = () => 7;
    assert.equal(stagePoint(vm), null);
});
