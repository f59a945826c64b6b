// @ts-check
// Judge of create/owl_and_rooster: backdrops in turn, who is seen when, and what is said and heard.

const {expect, expectTexts} = require('./lib/expect.js');
const {backdropOf} = require('./lib/looks.js');
const {expectSeen, isThere} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** Ticks for which nothing may change by itself. */
const WHILE = 66;

/**
 * Expects day or night with those who belong to it.
 * @param {Player} player
 * @param {'day' | 'night'} time
 * @param {string} when
 */
const expectTime = (player, time, when) => {
    expectTexts([backdropOf(player)], [time], `the backdrop ${when}`);
    const [seen, hidden] = time === 'day' ? ['Rooster', 'Owl'] : ['Owl', 'Rooster'];
    expectSeen(player.sprite(seen), when);
    expect(!player.sprite(hidden).visible, `the ${hidden} should be hidden ${when}`);
};

/**
 * Watches that it stays day or night.
 * @param {Player} player
 * @param {'day' | 'night'} time
 */
const staysTime = async (player, time) => {
    const [seen, hidden] = (time === 'day' ? ['Rooster', 'Owl'] : ['Owl', 'Rooster']).map(name => player.sprite(name));
    const same = () => backdropOf(player) === time && isThere(seen) && !hidden.visible;
    await player.ticks.always(`it is ${time} while no key is pressed`, same, WHILE);
};

/** @param {Player} player */
const crows = player => player.sounds.of('Rooster').length;

/**
 * @param {Player} player
 * @param {number} times since the program was loaded
 * @param {string} when
 */
const expectHoots = (player, times, when) => {
    expectTexts(player.speech.of('Owl'), Array(times).fill('Hoo'), `what the Owl says ${when}`);
};

module.exports = suite([
    {
        name: 'the green flag brings the day with the Rooster',
        run: async player => {
            await player.flag();
            expectTime(player, 'day', 'after the flag');
            await staysTime(player, 'day');
            expectHoots(player, 0, 'by day');
        }
    },
    {
        name: 'each press of the space key turns day into night or night into day',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 5; i += 1) {
                await player.tap('space');
                expectTime(player, i % 2 ? 'night' : 'day', `after ${i} presses`);
            }
        }
    },
    {
        name: 'the Owl says Hoo once each night',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 3; i += 1) {
                await player.tap('space');
                expectHoots(player, i, `by night ${i}`);
                await player.ticks.pass(10);
                await player.tap('space');
                expectHoots(player, i, `by day ${i}`);
            }
        }
    },
    {
        name: 'a whole night has one Hoo and no crow, and stays a night',
        run: async player => {
            await player.flag();
            const before = crows(player);
            await player.tap('space');
            expectTime(player, 'night', 'after a press');
            await staysTime(player, 'night');
            expectHoots(player, 1, 'in a long night');
            expect(crows(player) === before, 'crow should not be heard at night');
        }
    },
    {
        name: 'the Rooster crows once each time that a press brings the day',
        run: async player => {
            await player.flag();
            const before = crows(player);
            for (let i = 1; i <= 3; i += 1) {
                await player.tap('space');
                await player.ticks.pass(10);
                expectTexts(player.sounds.of('Rooster').slice(before), Array(i - 1).fill('crow'), `the sounds by night ${i}`);
                await player.tap('space');
                expectTexts(player.sounds.of('Rooster').slice(before), Array(i).fill('crow'), `the sounds by day ${i}`);
            }
            await staysTime(player, 'day');
            expectTexts(player.sounds.of('Rooster').slice(before), Array(3).fill('crow'), 'the sounds on a long day');
            expectHoots(player, 3, 'on a long day');
        }
    },
    {
        name: 'other keys do nothing',
        run: async player => {
            await player.flag();
            for (const key of ['n', 'enter', 'up arrow']) await player.tap(key);
            expectTime(player, 'day', 'after other keys');
            await player.tap('space');
            for (const key of ['d', 'enter', 'right arrow']) await player.tap(key);
            expectTime(player, 'night', 'after the space key and other keys');
            expectHoots(player, 1, 'after the space key and other keys');
        }
    },
    {
        name: 'a green flag at night makes it day, and the nights after it are like the first',
        run: async player => {
            await player.flag();
            await player.tap('space');
            expectTime(player, 'night', 'after a press');
            await player.flag();
            expectTime(player, 'day', 'after the second flag');
            await player.tap('space');
            expectTime(player, 'night', 'after the second flag and a press');
            expectHoots(player, 2, 'in two nights');
            await player.flag();
            await player.tap('space', 2);
            expectTime(player, 'day', 'after the third flag and two presses');
            expectHoots(player, 3, 'in three nights');
            await staysTime(player, 'day');
            expectHoots(player, 3, 'on a long day after three nights');
        }
    }
]);
