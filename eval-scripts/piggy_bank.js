// @ts-check
// Judge of create/piggy_bank: coins dropped on the Piggy, beside it, and carried across.

const {expectAt, expectEqual, expectTexts} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const START = {x: -150, y: 60};
const PIGGY = {x: 110, y: -50};
const BESIDE = {x: -60, y: -120};
/** Between these two, the Coin is carried right across the Piggy. */
const [ABOVE, BELOW] = [
    {x: PIGGY.x, y: 130},
    {x: PIGGY.x, y: -155}
];
const WORTH = 5;
/** Ticks for which nothing more may come. */
const WHILE = 66;

/**
 * @param {Player} player
 * @param {number} coins that were saved since the flag
 * @param {number} clinks in all
 * @param {string} when
 */
const expectSaved = (player, coins, clinks, when) => {
    expectEqual(player.variable('saved'), coins * WORTH, `saved ${when}`);
    expectTexts(player.sounds.of('Coin'), Array(clinks).fill('clink'), `the sounds ${when}`);
};

/** @param {Player} player */
const said = player => player.speech.of('Piggy');

/**
 * Drags the Coin as a player does.
 * @param {Player} player
 * @param {{x: number, y: number}} to
 */
const drag = (player, to) => player.drag('Coin', to, {as: 'player', steps: 20});

/**
 * Drops the Coin on the Piggy so many times.
 * @param {Player} player
 * @param {number} coins
 */
const save = async (player, coins) => {
    const before = player.sounds.of('Coin').length;
    for (let i = 1; i <= coins; i += 1) {
        // Not always at the same place.
        await drag(player, {x: PIGGY.x - 20 + i * 10, y: PIGGY.y});
        // The clink may be heard to its end before the Coin is back.
        await player.motion.reaches(player.sprite('Coin'), START, Infinity);
        await player.ticks.pass(3);
        expectAt(player.sprite('Coin'), START.x, START.y, `after drop ${i}`);
        expectSaved(player, i, before + i, `after drop ${i}`);
    }
};

module.exports = suite([
    {
        name: 'the flag sets saved to 0 and puts the Coin at its start',
        run: async player => {
            await player.flag();
            expectAt(player.sprite('Coin'), START.x, START.y, 'after the flag');
            expectSaved(player, 0, 0, 'after the flag');
        }
    },
    {
        name: 'a Coin dropped on the Piggy counts once, clinks and comes back',
        run: async player => {
            await player.flag();
            await save(player, 3);
            await player.ticks.rest(WHILE, WHILE);
            expectSaved(player, 3, 3, 'some time later');
            expectTexts(said(player), [], 'what the Piggy says without a click');
        }
    },
    {
        name: 'a Coin dropped elsewhere stays there and counts nothing',
        run: async player => {
            await player.flag();
            await drag(player, BESIDE);
            await player.ticks.rest(WHILE, WHILE);
            expectAt(player.sprite('Coin'), BESIDE.x, BESIDE.y, 'after it was dropped there');
            expectSaved(player, 0, 0, 'after a drop elsewhere');
            await save(player, 1);
            await drag(player, BESIDE);
            await player.ticks.pass(10);
            expectAt(player.sprite('Coin'), BESIDE.x, BESIDE.y, 'after it was dropped there once more');
            expectSaved(player, 1, 1, 'after another drop elsewhere');
        }
    },
    {
        name: 'a Coin carried across the Piggy counts nothing',
        run: async player => {
            await player.flag();
            await drag(player, ABOVE);
            await drag(player, BELOW);
            await player.ticks.pass(10);
            expectSaved(player, 0, 0, 'after it was carried across');
            expectAt(player.sprite('Coin'), BELOW.x, BELOW.y, 'after it was carried across');
            await save(player, 1);
        }
    },
    {
        name: 'a click makes the Piggy say what is saved, and it says nothing else',
        run: async player => {
            await player.flag();
            await player.click('Piggy');
            await save(player, 2);
            expectTexts(said(player), [0], 'what the Piggy says after a click');
            await player.click('Piggy');
            await player.click('Piggy');
            expectTexts(said(player), [0, 10, 10], 'what the Piggy says after two drops');
            await player.ticks.rest(WHILE, WHILE);
            expectTexts(said(player), [0, 10, 10], 'what the Piggy says some time later');
            expectSaved(player, 2, 2, 'after the clicks');
        }
    },
    {
        name: 'a second green flag starts again from 0',
        run: async player => {
            await player.flag();
            await save(player, 2);
            await drag(player, BESIDE);
            await player.flag();
            expectAt(player.sprite('Coin'), START.x, START.y, 'after the second flag');
            expectSaved(player, 0, 2, 'after the second flag');
            await save(player, 1);
            await player.click('Piggy');
            expectTexts(said(player), [5], 'what the Piggy says after the second flag and a drop');
        }
    }
]);
