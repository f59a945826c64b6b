// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {Player} = require('../lib/player.js');
const {fakeVm} = require('./fake-vm.js');

const variable = (/** @type {string} */ name, /** @type {any} */ value) => ({id: {name, type: '', value}});

test('a tap goes down and up again through the keyboard', async () => {
    const vm = fakeVm();
    const player = new Player(vm);
    vm.posted.length = 0;
    await vm.during(player.tap(' '));
    assert.deepEqual(vm.posted, [
        {device: 'keyboard', key: ' ', isDown: true},
        {device: 'keyboard', key: ' ', isDown: false}
    ]);
});

test('a click moves, presses and releases the mouse where the sprite is', async () => {
    const vm = fakeVm([{sprite: {name: 'Kite'}, x: 0, y: 0, drawableID: 7}]);
    const player = new Player(vm);
    vm.posted.length = 0;
    await vm.during(player.click('Kite'));
    assert.deepEqual(
        vm.posted.map((/** @type {any} */ data) => data.isDown),
        [undefined, true, false]
    );
    assert.ok(vm.posted.every((/** @type {any} */ data) => data.x === 240 && data.y === 180));
});

test('names are exact, and clones and lists do not count', () => {
    const vm = fakeVm([
        {sprite: {name: 'Balloon'}},
        {sprite: {name: 'Ball'}, isOriginal: false},
        {sprite: {name: 'Kite'}, variables: {a: {name: 'gusts', type: 'list', value: []}}}
    ]);
    const player = new Player(vm);
    assert.throws(() => player.sprite('Ball'), Unmet);
    assert.throws(() => player.variable('gusts'), Unmet);
});

test('a variable is found on the stage and in a sprite', () => {
    const stage = {isStage: true, sprite: {name: 'Stage'}, variables: variable('gusts', 3)};
    assert.equal(new Player(fakeVm([stage])).variable('gusts'), 3);
    const kite = {sprite: {name: 'Kite'}, variables: variable('gusts', 4)};
    assert.equal(new Player(fakeVm([{...stage, variables: {}}, kite])).variable('gusts'), 4);
});

test('an answer needs an open question', async () => {
    const vm = fakeVm();
    const player = new Player(vm);
    await assert.rejects(player.answer(4), Unmet);
    /** @type {string[]} */
    const answers = [];
    vm.runtime.on('ANSWER', (/** @type {string} */ text) => answers.push(text));
    vm.runtime.emit('QUESTION', 'How many?');
    await vm.during(player.answer(4));
    assert.deepEqual(answers, ['4']);
});
