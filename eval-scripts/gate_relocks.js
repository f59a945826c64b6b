// @ts-check
// Judge of extend/gate_relocks: a bite on the first level shuts the Gate and brings back the Key.

const {GATE_X, KEY, FORK, walk, walkTo, fetchKey, fetchBeet, meetWorm, getBitten, playThrough} = require('./lib/base_mole_maze.js');
const {expect, expectAt} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** @param {Player} player @param {boolean} shown @param {string} when */
const expectShown = (player, shown, when) => {
    for (const name of ['Gate', 'Key']) {
        if (shown) expectSeen(player.sprite(name), when);
        else expect(!player.sprite(name).visible, `the ${name} should be hidden ${when}`);
    }
};

/**
 * Back from where the Key lay, and into the Worm.
 * @param {Player} player
 */
const returnAndGetBitten = async player => {
    await walkTo(player, 'right arrow', FORK.x);
    await walkTo(player, 'down arrow', FORK.y);
    await meetWorm(player);
};

module.exports = suite([
    {
        name: 'a bite brings the fetched Key back and shuts the Gate',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            expectShown(player, false, 'when the Key was fetched');
            await returnAndGetBitten(player);
            expectShown(player, true, 'after a bite');
            expectAt(player.sprite('Gate'), GATE_X, KEY.y, 'after a bite');
            expectAt(player.sprite('Key'), KEY.x, KEY.y, 'after a bite');
        }
    },
    {
        name: 'the shut Gate stops the Mole, and the Key opens it as the first time',
        run: async player => {
            const mole = player.sprite('Mole');
            await player.flag();
            await fetchKey(player);
            await returnAndGetBitten(player);
            await walkTo(player, 'right arrow', FORK.x);
            await walkTo(player, 'up arrow', KEY.y);
            await player.keys.hold('right arrow', 12);
            expect(mole.x < GATE_X, `the shut Gate should stop the Mole, but it is at x ${mole.x}`);
            await walk(player, 'left arrow', 'the Mole got the Key again', () => !player.sprite('Key').visible);
            await player.ticks.pass(3);
            expectShown(player, false, 'when the Key was fetched again');
        }
    },
    {
        name: 'bites before the Key is fetched change nothing',
        run: async player => {
            await player.flag();
            await getBitten(player);
            expectShown(player, true, 'after a bite');
            await fetchKey(player);
            await player.ticks.pass(3);
            expectShown(player, false, 'when the Key was fetched');
            await fetchBeet(player);
        }
    },
    {
        name: 'each bite shuts the Gate',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            await returnAndGetBitten(player);
            await fetchKey(player);
            await returnAndGetBitten(player);
            expectShown(player, true, 'after the second bite');
        }
    },
    {
        name: 'on the second level a bite brings nothing back',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            await fetchBeet(player);
            await getBitten(player);
            await player.ticks.pass(5);
            expectShown(player, false, 'after a bite on the second level');
        }
    },
    ...playThrough()
]);
