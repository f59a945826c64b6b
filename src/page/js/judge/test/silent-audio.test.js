// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {silentAudio} = require('../lib/silent-audio.js');

/** Timers that fire when told to. */
const timers = () => {
    /** @type {Map<number, {handler: () => void, ms: number}>} */
    const waiting = new Map();
    let next = 1;
    return {
        waiting,
        setTimeout: (/** @type {() => void} */ handler, /** @type {number} */ ms) => {
            waiting.set(next, {handler, ms});
            return next++;
        },
        clearTimeout: (/** @type {number} */ id) => void waiting.delete(id)
    };
};

/** A bank with one sound of half a second. */
const bank = async () => {
    const clock = timers();
    /** @type {string[]} */
    const played = [];
    const engine = silentAudio(clock, (target, id) => played.push(`${target.name} ${id}`));
    const made = engine.createBank();
    const player = await engine.decodeSoundPlayer({md5: 'pop.wav', rate: 48000, sampleCount: 24000});
    made.addSoundPlayer(player);
    const settled = (/** @type {Promise<any>} */ promise) =>
        Promise.race([promise.then(() => true), new Promise(resolve => setImmediate(() => resolve(false)))]);
    return {clock, played, bank: made, id: player.id, settled};
};

const cat = {name: 'Kite', soundEffects: {pitch: 0}};

test('a sound lasts as long as its samples say', async () => {
    const {clock, played, bank: made, id, settled} = await bank();
    const sound = made.playSound(cat, id);
    assert.equal(await settled(sound), false);
    const [{handler, ms}] = clock.waiting.values();
    assert.equal(ms, 500);
    handler();
    assert.equal(await settled(sound), true);
    assert.deepEqual(played, [`Kite ${id}`]);
});

test('an octave higher takes half the time', async () => {
    const {clock, bank: made, id} = await bank();
    made.playSound({soundEffects: {pitch: 120}}, id);
    assert.equal([...clock.waiting.values()][0].ms, 250);
});

test('stopping ends a sound for whoever waits for it, and only for its own sprite', async () => {
    const {clock, bank: made, id, settled} = await bank();
    const sound = made.playSound(cat, id);
    made.stop({name: 'other'}, id);
    assert.equal(await settled(sound), false);
    made.stop(cat, id);
    assert.equal(await settled(sound), true);
    assert.equal(clock.waiting.size, 0);
});

test('starting a sound again ends the one before', async () => {
    const {bank: made, id, settled} = await bank();
    const first = made.playSound(cat, id);
    const second = made.playSound(cat, id);
    assert.equal(await settled(first), true);
    assert.equal(await settled(second), false);
    made.stopAllSounds();
    assert.equal(await settled(second), true);
});

test('a sound that is not there takes no time', async () => {
    const {bank: made} = await bank();
    await made.playSound(cat, 'nothing');
});
