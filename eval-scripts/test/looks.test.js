// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {backdropOf, costumeOf, effectOf, expectCostume, isInFront} = require('../lib/looks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

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

test('a costume is expected where a player sees it, unless the sprite may hide', () => {
    const moth = fakeTarget({sprite: {name: 'Moth'}});
    expectCostume(moth, 'plain', 'at dusk');
    assert.throws(() => expectCostume(moth, 'striped', 'at dusk'), /the costume of Moth at dusk should be "striped"/);
    moth.visible = false;
    assert.throws(() => expectCostume(moth, 'plain', 'at dusk'), {message: 'the Moth is hidden, at dusk'});
    expectCostume(moth, 'plain', 'at dusk', {mayHide: true});
});
