// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Clones} = require('../lib/clones.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

const star = fakeTarget({sprite: {name: 'Star'}});
const cloneOf = (/** @type {string} */ name) => fakeTarget({sprite: {name}, isOriginal: false});

test('clones are counted by sprite, and sprites are none', () => {
    const [first, second] = [cloneOf('Star'), cloneOf('Star')];
    const vm = fakeVm();
    vm.runtime.targets = [star, first, cloneOf('Moth'), second];
    const clones = new Clones(vm, new Ticks(vm));
    assert.deepEqual(clones.of('Star'), [first, second]);
    assert.deepEqual([clones.count('Star'), clones.count('Owl'), clones.count()], [2, 0, 3]);
});

test('a hidden clone is one, but none that is seen', () => {
    const [shown, hidden] = [cloneOf('Star'), fakeTarget({sprite: {name: 'Star'}, isOriginal: false, visible: false})];
    const vm = fakeVm();
    vm.runtime.targets = [star, hidden, shown];
    const clones = new Clones(vm, new Ticks(vm));
    assert.deepEqual([clones.count('Star'), clones.seen('Star')], [2, [shown]]);
});

test('clones are known after they have gone', () => {
    const vm = fakeVm();
    const clones = new Clones(vm, new Ticks(vm));
    const clone = cloneOf('Star');
    vm.runtime.targets = [star];
    vm.runtime.emit('targetWasCreated', star);
    vm.runtime._step();
    vm.runtime.targets.push(clone);
    vm.runtime.emit('targetWasCreated', clone, star);
    assert.ok(clones.isAlive(clone));
    vm.runtime._step();
    vm.runtime.targets.pop();
    vm.runtime.emit('targetWasRemoved', clone);
    assert.ok(!clones.isAlive(clone));
    assert.deepEqual(clones.created, [{sprite: 'Star', target: clone, tick: 1}]);
    assert.deepEqual(clones.removed, [{sprite: 'Star', target: clone, tick: 2}]);
    assert.deepEqual([clones.made('Star'), clones.count('Star')], [1, 0]);
});
