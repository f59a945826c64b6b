// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {expectSprite, keepsCostume, putsOn} = require('../lib/sprite.js');
const {fakeTarget} = require('./fake-vm.js');

/**
 * @param {string[]} costumes one for each look at it, the last one for good
 * @returns {any} a player with an Owl that has said "dusk" and "dawn" and hooted once
 */
const playerWith = (...costumes) => {
    const looks = [...costumes];
    const getCostumes = () => [{name: looks.length > 1 ? looks.shift() : looks[0]}];
    const owl = fakeTarget({sprite: {name: 'Owl'}, getCostumes});
    return {
        owl,
        sprite: () => owl,
        speech: {of: () => ['dusk', 'dawn']},
        sounds: {of: () => ['hoot']},
        ticks: {
            until: async (/** @type {string} */ what, /** @type {() => boolean} */ condition, /** @type {number} */ ms) => {
                for (let i = 0; i < ms; i += 1) if (condition()) return;
                throw new Unmet(what);
            },
            always: async (/** @type {string} */ what, /** @type {() => boolean} */ condition, /** @type {number} */ n) => {
                for (let i = 0; i < n; i += 1) if (!condition()) throw new Unmet(what);
            }
        }
    };
};

test('what is left out is not looked at', () => {
    expectSprite(playerWith('asleep'), 'Owl', {}, 'at night');
    expectSprite(playerWith('asleep'), 'Owl', {costume: 'asleep', said: ['dusk', 'dawn'], heard: ['hoot']}, 'at night');
});

test('a wrong costume, text or sound is told', () => {
    const failing = (/** @type {any} */ wanted, /** @type {RegExp} */ message) =>
        assert.throws(() => expectSprite(playerWith('asleep'), 'Owl', wanted, 'at night'), message);
    failing({costume: 'awake'}, /the costume of Owl at night should be "awake", but is "asleep"/);
    failing({said: ['dusk']}, /what Owl says, at night, should be "dusk", but is "dusk, dawn"/);
    failing({heard: []}, /the sounds of Owl at night should be "", but is "hoot"/);
});

test('a costume is waited for, or watched', async () => {
    await putsOn(playerWith('asleep', 'asleep', 'awake'), 'Owl', 'awake', 3);
    await assert.rejects(putsOn(playerWith('asleep'), 'Owl', 'awake', 3), /Owl put on its costume awake/);
    await keepsCostume(playerWith('asleep'), 'Owl', 'asleep', 3);
    await assert.rejects(keepsCostume(playerWith('asleep', 'awake'), 'Owl', 'asleep', 3), /Owl keeps its costume asleep/);
});

test('a costume that nobody sees does not count, unless the sprite may hide', async () => {
    const player = playerWith('asleep');
    player.owl.visible = false;
    assert.throws(() => expectSprite(player, 'Owl', {costume: 'asleep'}, 'at night'), {message: 'the Owl is hidden, at night'});
    expectSprite(player, 'Owl', {costume: 'asleep'}, 'at night', {mayHide: true});
    expectSprite(player, 'Owl', {heard: ['hoot']}, 'at night');
    await assert.rejects(putsOn(player, 'Owl', 'asleep', 3), /Owl put on its costume asleep where one sees it/);
    await putsOn(player, 'Owl', 'asleep', 3, {mayHide: true});
    await assert.rejects(keepsCostume(player, 'Owl', 'asleep', 3), {
        message: 'the Owl is hidden, and should keep its costume asleep'
    });
    await keepsCostume(player, 'Owl', 'asleep', 3, {mayHide: true});
});
