// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Speech} = require('../lib/speech.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeSpeaker: speaker, fakeTarget, fakeVm} = require('./fake-vm.js');

test('what a sprite says is kept as it was said; cleared bubbles are not', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    const [mason, mole] = [speaker(vm, 'Mason'), speaker(vm, 'Mole')];
    mason(10);
    mole('hm');
    vm.runtime._step();
    mason('');
    vm.runtime._step();
    assert.deepEqual(speech.of('Mason'), [10]);
    assert.equal(speech.said.length, 2);
});

test('what is thought is not said', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    const owl = speaker(vm, 'Owl');
    owl('dusk', 'think');
    vm.runtime._step();
    owl('dawn');
    vm.runtime._step();
    assert.deepEqual(speech.of('Owl'), ['dawn']);
    assert.deepEqual(
        speech.thoughts('Owl').map(({text, ticks}) => [text, ticks]),
        [['dusk', 1]]
    );
    assert.equal(speech.thought.length, 1);
});

test('a text that is replaced within its tick was never seen', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    const owl = speaker(vm, 'Owl');
    owl('too soon');
    assert.deepEqual(speech.of('Owl'), [], 'the tick has not ended');
    owl('What?');
    vm.runtime.emit('QUESTION', '');
    vm.runtime._step();
    assert.deepEqual([speech.of('Owl'), speech.questions], [[], ['What?']]);
    owl('one');
    owl('two');
    vm.runtime._step();
    assert.deepEqual(speech.of('Owl'), ['two']);
    owl('three');
    owl('');
    vm.runtime._step();
    assert.deepEqual(speech.of('Owl'), ['two']);
});

test('the question of a visible sprite is no speech', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    speaker(vm, 'Mason')('How many?');
    vm.runtime.emit('QUESTION', '');
    vm.runtime._step();
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

test('an empty question takes back nothing that was said', () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    const [mason, hidden] = [speaker(vm, 'Mason'), speaker(vm, 'Mole', {visible: false})];
    mason('wrong');
    vm.runtime._step();
    vm.runtime.emit('QUESTION', '');
    mason('');
    vm.runtime.emit('QUESTION', '');
    hidden('wrong, too');
    vm.runtime.emit('QUESTION', '');
    vm.runtime._step();
    assert.deepEqual(speech.questions, ['', '', '']);
    assert.deepEqual([speech.of('Mason'), speech.of('Mole')], [['wrong'], []], 'nobody sees what the Mole says');
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
    const mason = speaker(vm, 'Mason');
    mason('old');
    vm.runtime._step();
    ticks.observe(tick => {
        if (tick === 2) mason('new');
    });
    assert.equal(await vm.during(speech.next('Mason', 10000)), 'new');
    assert.equal(await speech.next('Mason', 10000, 1), 'new', 'it was said after the first text');
});

/** @returns {any} an Owl that speaks, with the target that it is, and what hears it */
const heardOwl = () => {
    const vm = fakeVm();
    const speech = new Speech(vm, new Ticks(vm));
    const bubble = {type: 'say', text: '', usageId: 0};
    const owl = fakeTarget({sprite: {name: 'Owl'}, getCustomState: () => bubble});
    const say = (/** @type {string} */ text) => {
        Object.assign(bubble, {text, usageId: bubble.usageId + 1});
        vm.runtime.emit('SAY', owl, 'say', text);
    };
    return {vm, speech, owl, say};
};

test('what a sprite says that nobody can see is not said', () => {
    const here = () => ({left: -10, right: 10, top: 10, bottom: -10});
    for (const how of [
        {visible: false},
        {effects: {ghost: 100}},
        {getBounds: () => ({left: 0, right: 5, top: 5, bottom: 0})},
        {getBounds: () => ({left: 225, right: 285, top: 20, bottom: -20})}
    ]) {
        const {vm, speech, owl, say} = heardOwl();
        Object.assign(owl, how);
        say('dusk');
        for (let i = 0; i < 3; i += 1) vm.runtime._step();
        assert.deepEqual([speech.of('Owl'), speech.said], [[], []], JSON.stringify(how));
        // It comes into sight with the sprite.
        Object.assign(owl, {visible: true, effects: {}, getBounds: here});
        vm.runtime._step();
        const [{text, tick, ticks}] = speech.entries('Owl');
        assert.deepEqual([text, tick, ticks], ['dusk', 3, 1], JSON.stringify(how));
    }
});

test('a bubble counts the ticks in which its speaker is seen', () => {
    const {vm, speech, owl, say} = heardOwl();
    say('dusk');
    vm.runtime._step();
    owl.visible = false;
    for (let i = 0; i < 5; i += 1) vm.runtime._step();
    owl.visible = true;
    vm.runtime._step();
    assert.deepEqual([speech.entries('Owl')[0].ticks, speech.entries('Owl')[0].over], [2, false]);
});

test('a text is as old as its coming into sight', () => {
    const {vm, speech, owl, say} = heardOwl();
    owl.visible = false;
    say('first said');
    const other = speaker(vm, 'Owl', {isOriginal: false});
    vm.runtime._step();
    other('first seen');
    vm.runtime._step();
    owl.visible = true;
    vm.runtime._step();
    assert.deepEqual(speech.of('Owl'), ['first seen', 'first said']);
});

test('a deleted clone says nothing any more', () => {
    const {vm, speech, owl, say} = heardOwl();
    say('dusk');
    vm.runtime._step();
    vm.runtime.emit('targetWasRemoved', owl);
    vm.runtime._step();
    const [{ticks, over}] = speech.entries('Owl');
    assert.deepEqual([ticks, over], [1, true]);
});

test('a question in a bubble counts when it is seen, though the answer box is open at once', () => {
    const {vm, speech, owl, say} = heardOwl();
    owl.effects = {ghost: 100};
    say('How many?');
    vm.runtime.emit('QUESTION', '');
    vm.runtime._step();
    assert.deepEqual([speech.questions, speech.waiting, speech.of('Owl')], [[], true, []]);
    owl.effects = {};
    vm.runtime._step();
    vm.runtime._step();
    assert.deepEqual([speech.questions, speech.of('Owl')], [['How many?'], []]);
});

test('a question that is answered or given up before it is seen never counts', () => {
    const {vm, speech, owl, say} = heardOwl();
    owl.effects = {ghost: 100};
    say('How many?');
    vm.runtime.emit('QUESTION', '');
    vm.runtime._step();
    say('');
    owl.effects = {};
    vm.runtime._step();
    assert.deepEqual(speech.questions, []);
});
