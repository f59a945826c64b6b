// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {Mouse} = require('../lib/mouse.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

const kite = () => fakeTarget({id: 'k', sprite: {name: 'Kite'}, x: 0, y: 0, drawableID: 7});

const stage = (target = kite()) => {
    const vm = fakeVm();
    vm.runtime.targets.push(target);
    const mouse = new Mouse(vm, new Ticks(vm));
    return {vm, mouse, target};
};

/** @param {any} vm @returns {any[]} what was posted, canvas sizes left out */
const log = vm =>
    vm.posted.map((/** @type {any} */ {canvasWidth: _width, canvasHeight: _height, ...rest}) => rest);

test('the pointer has a place from the start', () => {
    const {vm} = stage();
    assert.deepEqual(log(vm), [{device: 'mouse', x: 240, y: 180}]);
});

test('pressing and releasing happen where the pointer is', () => {
    const {vm, mouse} = stage();
    mouse.moveTo(-40, 30);
    mouse.press();
    mouse.release();
    assert.deepEqual(log(vm).slice(1), [
        {device: 'mouse', x: 200, y: 150},
        {device: 'mouse', x: 200, y: 150, isDown: true},
        {device: 'mouse', x: 200, y: 150, isDown: false}
    ]);
});

test('a covered stage is not clicked', async () => {
    const {mouse} = stage();
    await assert.rejects(mouse.clickStage(), Unmet);
});

test('the editor hides what it drags, drops it at the place and takes the end for no click', async () => {
    const {vm, mouse, target} = stage();
    vm.posted.length = 0;
    await vm.during(mouse.drag(target, {x: 60, y: -20}, {steps: 2}));
    assert.deepEqual(log(vm), [
        {device: 'mouse', x: 240, y: 180},
        {device: 'mouse', x: 240, y: 180, isDown: true},
        {device: 'startDrag', id: 'k'},
        {device: 'sprite', visible: false},
        {device: 'mouse', x: 270, y: 190},
        {device: 'mouse', x: 300, y: 200},
        {device: 'sprite', visible: true, x: 60, y: -20, force: true},
        {device: 'stopDrag', id: 'k'},
        {device: 'mouse', x: 300, y: 200, isDown: false, wasDragged: true}
    ]);
});

test('what the editor drops beside the stage stays where it was', async () => {
    const {vm, mouse, target} = stage();
    await vm.during(mouse.drag(target, {x: 260, y: 0}, {steps: 1}));
    const dropped = vm.posted.find((/** @type {any} */ data) => data.visible === true);
    assert.deepEqual(dropped, {device: 'sprite', visible: true});
});

test('a player drags only what the program made draggable, and it follows the pointer', async () => {
    const fixed = stage();
    await assert.rejects(fixed.vm.during(fixed.mouse.drag(fixed.target, {x: 9, y: 9}, {as: 'player'})), Unmet);
    const {vm, mouse, target} = stage({...kite(), draggable: true});
    await vm.during(mouse.drag(target, {x: 60, y: 0}, {as: 'player', steps: 2}));
    const moves = vm.posted.filter((/** @type {any} */ data) => data.device === 'sprite');
    assert.deepEqual(moves, [
        {device: 'sprite', x: 30, y: 0, force: true},
        {device: 'sprite', x: 60, y: 0, force: true}
    ]);
});
