// @ts-check
// Judge of create/owl_and_rooster: backdrops in turn, who is seen when, and what is said and heard.

const {expect, expectEqual} = require('./lib/expect.js');
const {backdropOf} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * Expects day or night with those who belong to it.
 * @param {Player} player
 * @param {'day' | 'night'} time
 * @param {string} when
 */
const expectTime = (player, time, when) => {
    expectEqual(backdropOf(player), time, `the backdrop ${when}`);
    const [seen, hidden] = time === 'day' ? ['Rooster', 'Owl'] : ['Owl', 'Rooster'];
    expect(player.sprite(seen).visible, `the ${seen} should be visible ${when}`);
    expect(!player.sprite(hidden).visible, `the ${hidden} should be hidden ${when}`);
};

/** @param {Player} player */
const crows = player => player.sounds.of('Rooster').length;

/** @param {Player} player */
const hoots = player => player.speech.of('Owl').length;

module.exports = suite([
    {
        name: 'the green flag brings the day with the Rooster',
        run: async player => {
            await player.flag();
            expectTime(player, 'day', 'after the flag');
            expectEqual(hoots(player), 0, 'how often the Owl spoke');
            const isDay = () => backdropOf(player) === 'day';
            await player.ticks.always('it stays day while no key is pressed', isDay, 30);
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
                expectEqual(hoots(player), i, `how often the Owl spoke by night ${i}`);
                expectEqual(player.speech.of('Owl').at(-1), 'Hoo', `what the Owl says in night ${i}`);
                await player.ticks.pass(10);
                await player.tap('space');
                expectEqual(hoots(player), i, `how often the Owl spoke by day ${i}`);
            }
        }
    },
    {
        name: 'the Rooster crows once each time that a press brings the day',
        run: async player => {
            await player.flag();
            const before = crows(player);
            for (let i = 0; i < 3; i += 1) {
                await player.tap('space');
                await player.ticks.pass(10);
                expectEqual(crows(player), before + i, `crows by night ${i + 1}`);
                await player.tap('space');
                expectEqual(crows(player), before + i + 1, `crows by day ${i + 1}`);
            }
            expect(player.sounds.of('Rooster').every(sound => sound === 'crow'), 'all sounds should be crow');
            expectEqual(player.speech.of('Rooster').length, 0, 'how often the Rooster spoke');
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
            expectEqual(hoots(player), 1, 'how often the Owl spoke');
        }
    },
    {
        name: 'a green flag at night makes it day',
        run: async player => {
            await player.flag();
            await player.tap('space');
            expectTime(player, 'night', 'after a press');
            await player.flag();
            expectTime(player, 'day', 'after the second flag');
            await player.tap('space');
            expectTime(player, 'night', 'after the second flag and a press');
            await player.flag();
            await player.tap('space', 2);
            expectTime(player, 'day', 'after the third flag and two presses');
        }
    }
]);
