// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {backdropOf, costumeOf, effectOf, isInFront} = require('../lib/looks.js');
const {fakeVm} = require('./fake-vm.js');

test('costume, effect and layer are those of the target, the backdrop is the costume of the stage', () => {
    const vm = fakeVm([
        {isStage: true, currentCostume: 1, layer: 0},
        {layer: 2, effects: {ghost: 40, color: 0}},
        {layer: 1, currentCostume: 9}
    ]);
    const [, front, back] = vm.runtime.targets;
    assert.equal(costumeOf(front), 'plain');
    assert.equal(costumeOf(back), '');
    assert.equal(backdropOf({vm}), 'striped');
    assert.equal(backdropOf({vm: fakeVm()}), '');
    assert.deepEqual([effectOf(front, 'ghost'), effectOf(front, 'color')], [40, 0]);
    assert.deepEqual([isInFront(front, back), isInFront(back, front)], [true, false]);
});
