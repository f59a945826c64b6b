// @ts-check
// Judge of create/piggy_bank: coins dropped on the Piggy, beside it, and carried across.

const {expectAt, expectEqual} = require('./lib/expect.js');
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

/**
 * @param {Player} player
 * @param {number} coins that were saved since the flag
 * @param {number} clinks in all
 * @param {string} when
 */
const expectSaved = (player, coins, clinks, when) => {
    expectEqual(player.variable('saved'), coins * WORTH, `saved ${when}`);
    expectEqual(player.sounds.of('Coin').length, clinks, `the number of clinks ${when}`);
};

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
        await player.ticks.pass(5);
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
            await player.ticks.pass(20);
            expectSaved(player, 3, 3, 'some time later');
            expectEqual(player.sounds.of('Coin').join(', '), 'clink, clink, clink', 'the sounds');
        }
    },
    {
        name: 'a Coin dropped elsewhere stays there and counts nothing',
        run: async player => {
            await player.flag();
            await drag(player, BESIDE);
            await player.ticks.pass(10);
            expectAt(player.sprite('Coin'), BESIDE.x, BESIDE.y, 'after it was dropped there');
            expectSaved(player, 0, 0, 'after a drop elsewhere');
            await save(player, 1);
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
            expectEqual(player.speech.of('Piggy').join(', '), '0', 'what the Piggy says after a click');
            await player.click('Piggy');
            expectEqual(player.speech.of('Piggy').join(', '), '0, 10', 'what the Piggy says after two drops');
            expectSaved(player, 2, 2, 'after the clicks');
        }
    },
    {
        name: 'a second green flag starts afresh',
        run: async player => {
            await player.flag();
            await save(player, 2);
            await drag(player, BESIDE);
            await player.flag();
            expectAt(player.sprite('Coin'), START.x, START.y, 'after the second flag');
            expectSaved(player, 0, 2, 'after the second flag');
            await save(player, 1);
        }
    }
]);
