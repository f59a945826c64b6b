// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Sounds} = require('../lib/sounds.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

test('starts of sounds are noted once, for clones too, and reach the bank', async () => {
    /** @type {any[]} */
    const played = [];
    const soundBank = {
        ends: 'later',
        playSound(/** @type {any} */ target, /** @type {string} */ id) {
            played.push([target, id]);
            return Promise.resolve(this.ends);
        }
    };
    const sprite = {name: 'Bell', sounds: [{name: 'ding', soundId: 's1'}], soundBank};
    const vm = fakeVm([{sprite}, {sprite, isOriginal: false}, {sprite: {name: 'Mute', sounds: [], soundBank: null}}]);
    const sounds = new Sounds(vm, new Ticks(vm));
    const [bell, clone] = vm.runtime.targets;
    assert.equal(await soundBank.playSound(bell, 's1'), 'later');
    vm.runtime._step();
    soundBank.playSound(clone, 's1');
    soundBank.playSound(bell, 'unknown');
    assert.deepEqual(sounds.started, [
        {sprite: 'Bell', sound: 'ding', tick: 0},
        {sprite: 'Bell', sound: 'ding', tick: 1}
    ]);
    assert.deepEqual([sounds.of('Bell'), sounds.of('Mute')], [['ding', 'ding'], []]);
    assert.equal(played.length, 3);
});
