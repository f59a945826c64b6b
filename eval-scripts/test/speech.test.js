// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Speech} = require('../lib/speech.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

const mason = fakeTarget({sprite: {name: 'Mason'}});

test('what a sprite says is kept as it was said; cleared bubbles are not', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    vm.runtime.emit('SAY', mason, 'say', 10);
    vm.runtime.emit('SAY', mason, 'say', '');
    vm.runtime.emit('SAY', fakeTarget({sprite: {name: 'Mole'}}), 'think', 'hm');
    assert.deepEqual(speech.of('Mason'), [10]);
});

test('the question of a visible sprite is no speech', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    vm.runtime.emit('SAY', mason, 'say', 'How many?');
    vm.runtime.emit('QUESTION', '');
    assert.deepEqual([speech.questions, speech.waiting, speech.of('Mason')], [['How many?'], true, []]);
    vm.runtime.emit('QUESTION', null);
    assert.equal(speech.waiting, false);
});

test('a hidden sprite asks without saying', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    vm.runtime.emit('QUESTION', 'How many?');
    assert.deepEqual(speech.questions, ['How many?']);
});

test('a bubble lasts until its text is gone, and the same text again is another bubble', () => {
    const bubble = {type: 'say', text: 'hm', usageId: 'a'};
    const owl = fakeTarget({sprite: {name: 'Owl'}, getCustomState: () => bubble});
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    vm.runtime._step();
    vm.runtime.emit('SAY', owl, 'say', 'hm');
    for (let i = 0; i < 3; i += 1) vm.runtime._step();
    bubble.usageId = 'b';
    vm.runtime.emit('SAY', owl, 'say', 'hm');
    for (let i = 0; i < 2; i += 1) vm.runtime._step();
    bubble.text = '';
    vm.runtime._step();
    assert.deepEqual(
        speech.entries('Owl').map(({tick, ticks, over}) => [tick, ticks, over]),
        [
            [1, 3, true],
            [4, 2, true]
        ]
    );
});

test('waiting for speech gives what is said next', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    const speech = new Speech(vm, ticks);
    vm.runtime.emit('SAY', mason, 'say', 'old');
    ticks.observe(tick => {
        if (tick === 2) vm.runtime.emit('SAY', mason, 'say', 'new');
    });
    assert.equal(await vm.during(speech.next('Mason', 10000)), 'new');
    assert.equal(await speech.next('Mason', 10000, 1), 'new', 'it was said after the first text');
});
