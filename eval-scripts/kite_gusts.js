// @ts-check
// Judge of create/kite_gusts: flag, space key and clicks, each with its exact effect.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const START = {x: -100, y: -60};
const RISE = 15;

/**
 * Taps the space key and checks after each tap.
 * @param {Player} player
 * @param {number} taps
 */
const fly = async (player, taps) => {
    for (let i = 1; i <= taps; i += 1) {
        await player.tap(' ');
        expectAt(player.sprite('Kite'), START.x, START.y + i * RISE, `after ${i} presses`);
        expectEqual(player.variable('gusts'), i, `gusts after ${i} presses`);
    }
};

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
            for (const key of ['ArrowUp', 'a', 'Enter']) await player.tap(key);
            expectAt(player.sprite('Kite'), START.x, START.y + RISE, 'after one press of the space key');
            expectEqual(player.variable('gusts'), 1, 'gusts after one press of the space key');
        }
    },
    ...[0, 3].map(taps => ({
        name: `a click makes the Kite say its gusts after ${taps} presses, and not before`,
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await fly(player, taps);
            expect(player.speech.of('Kite').length === 0, 'the Kite should say nothing before it is clicked');
            await player.click('Kite');
            const said = player.speech.of('Kite');
            expect(said.length === 1, `one click should make the Kite speak once, but it spoke ${said.length} times`);
            expectEqual(said[0], taps, 'what the Kite says');
        }
    })),
    {
        name: 'the green flag starts afresh after a flight',
        run: async player => {
            await player.flag();
            await fly(player, 2);
            await player.flag();
            expectAt(player.sprite('Kite'), START.x, START.y, 'after the second flag');
            expectEqual(player.variable('gusts'), 0, 'gusts after the second flag');
            await fly(player, 1);
        }
    }
]);
