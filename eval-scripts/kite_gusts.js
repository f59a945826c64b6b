// @ts-check
// Judge of create/kite_gusts: flag, space key and clicks, each with its exact effect.

const {expectAt, expectEqual, expectTexts} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const START = {x: -100, y: -60};
const RISE = 15;

/**
 * Taps the space key and checks after each tap.
 * @param {Player} player
 * @param {number} taps
 * @param {number} [before] presses since the flag
 */
const fly = async (player, taps, before = 0) => {
    for (let i = before + 1; i <= before + taps; i += 1) {
        await player.tap('space');
        expectAt(player.sprite('Kite'), START.x, START.y + i * RISE, `after ${i} presses`);
        expectEqual(player.variable('gusts'), i, `gusts after ${i} presses`);
    }
};

/**
 * @param {Player} player
 * @param {(string | number)[]} texts all since the program was loaded
 * @param {string} when
 */
const expectSaid = (player, texts, when) => expectTexts(player.speech.of('Kite'), texts, `what the Kite says ${when}`);

module.exports = suite([
    {
        name: 'the green flag puts the Kite at its start and gusts at 0',
        run: async player => {
            await player.flag();
            expectAt(player.sprite('Kite'), START.x, START.y);
            expectEqual(player.variable('gusts'), 0, 'gusts');
        }
    },
    {
        name: 'each press of the space key lifts the Kite by 15 and counts one gust',
        run: async player => {
            await player.flag();
            await fly(player, 4);
        }
    },
    {
        name: 'other keys do nothing',
        run: async player => {
            await player.flag();
            await fly(player, 1);
            for (const key of ['up arrow', 'a', 'enter']) await player.tap(key);
            expectAt(player.sprite('Kite'), START.x, START.y + RISE, 'after one press of the space key');
            expectEqual(player.variable('gusts'), 1, 'gusts after one press of the space key');
        }
    },
    ...[0, 3].map(taps => ({
        name: `a click makes the Kite say its gusts after ${taps} presses, and it says nothing else`,
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await fly(player, taps);
            expectSaid(player, [], 'before it is clicked');
            await player.click('Kite');
            expectSaid(player, [taps], 'after a click');
            await player.ticks.rest();
            expectSaid(player, [taps], 'some time after a click');
        }
    })),
    {
        name: 'every click makes it say the value of that moment',
        run: async player => {
            await player.flag();
            await player.click('Kite');
            await fly(player, 2);
            await player.click('Kite');
            await player.click('Kite');
            await fly(player, 8, 2);
            await player.click('Kite');
            expectSaid(player, [0, 2, 2, 10], 'after four clicks');
            await player.ticks.rest();
            expectAt(player.sprite('Kite'), START.x, START.y + 10 * RISE, 'after ten presses and four clicks');
        }
    },
    {
        name: 'the green flag starts again after a flight',
        run: async player => {
            await player.flag();
            await fly(player, 2);
            await player.flag();
            expectAt(player.sprite('Kite'), START.x, START.y, 'after the second flag');
            expectEqual(player.variable('gusts'), 0, 'gusts after the second flag');
            await fly(player, 1);
            await player.click('Kite');
            await player.ticks.rest();
            expectSaid(player, [1], 'after the second flag, a press and a click');
        }
    }
]);
