// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Speech} = require('../lib/speech.js');
const {fakeVm} = require('./fake-vm.js');

const mason = {sprite: {name: 'Mason'}};

test('what a sprite says is kept as it was said; cleared bubbles are not', () => {
    const vm = fakeVm();
    const speech = new Speech(vm);
    vm.runtime.emit('SAY', mason, 'say', 10);
    vm.runtime.emit('SAY', mason, 'say', '');
    vm.runtime.emit('SAY', {sprite: {name: 'Mole'}}, 'think', 'hm');
    assert.deepEqual(speech.of('Mason'), [10]);
});

test('the question of a visible sprite is no speech', () => {
    const vm = fakeVm();
    const speech = new Speech(vm);
    vm.runtime.emit('SAY', mason, 'say', 'How many?');
    vm.runtime.emit('QUESTION', '');
    assert.deepEqual([speech.questions, speech.waiting, speech.of('Mason')], [['How many?'], true, []]);
    vm.runtime.emit('QUESTION', null);
    assert.equal(speech.waiting, false);
});

test('a hidden sprite asks without saying', () => {
    const vm = fakeVm();
    const speech = new Speech(vm);
    vm.runtime.emit('QUESTION', 'How many?');
    assert.deepEqual(speech.questions, ['How many?']);
});
