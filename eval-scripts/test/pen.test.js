// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Pen} = require('../lib/pen.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

const RED = {color4f: [1, 0, 0.2, 1], diameter: 3};

test('lines and dots are noted until they are erased, and reach the renderer', () => {
    const vm = fakeVm();
    const {renderer} = vm.runtime;
    const pen = new Pen(vm, new Ticks(vm));
    renderer.penPoint(1, RED, 0, 5);
    vm.runtime._step();
    renderer.penLine(1, RED, 0, 5, 10, 5);
    renderer.penLine(1, RED, 10, 5, 10, 5);
    assert.deepEqual(pen.dots, [{from: {x: 0, y: 5}, to: {x: 0, y: 5}, color: '#ff0033', opacity: 1, size: 3, tick: 0}]);
    assert.deepEqual(pen.lines, [{from: {x: 0, y: 5}, to: {x: 10, y: 5}, color: '#ff0033', opacity: 1, size: 3, tick: 1}]);
    renderer.penClear(1);
    assert.deepEqual([pen.lines, pen.dots, pen.erased], [[], [], 1]);
    assert.deepEqual(renderer.drawn, ['penPoint', 'penLine', 'penLine', 'penClear']);
});

test('the renderer is given back as it was', () => {
    const vm = fakeVm();
    const {renderer} = vm.runtime;
    const {penLine} = renderer;
    const pen = new Pen(vm, new Ticks(vm));
    assert.notEqual(renderer.penLine, penLine);
    pen.leave();
    assert.equal(renderer.penLine, penLine);
    renderer.penLine(1, RED, 0, 0, 9, 9);
    assert.equal(pen.lines.length, 0);
});

test('how transparent a pen is belongs to what it draws', () => {
    const vm = fakeVm();
    const pen = new Pen(vm, new Ticks(vm));
    vm.runtime.renderer.penLine(1, {color4f: [1, 0, 0.2, 0.25], diameter: 3}, 0, 5, 10, 5);
    assert.equal(pen.lines[0].opacity, 0.25);
});

test('a pen is up unless it was put down', () => {
    const vm = fakeVm([{}, {getCustomState: () => ({penDown: true})}, {getCustomState: () => ({penDown: false})}]);
    const pen = new Pen(vm, new Ticks(vm));
    assert.deepEqual(
        vm.runtime.targets.map((/** @type {any} */ target) => pen.isDown(target)),
        [false, true, false]
    );
});
