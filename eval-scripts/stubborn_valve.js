// @ts-check
// Judge of debug/stubborn_valve: each click turns the Valve, open and shut by turns.

const {expectEqual} = require('./lib/expect.js');
const {completePump, expectValve, expectWater, playThrough} = require('./lib/base_flower_pump.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * Clicks the Valve and checks it after each click; it is shut before.
 * @param {Player} player
 * @param {number} clicks
 */
const turn = async (player, clicks) => {
    for (let i = 1; i <= clicks; i += 1) {
        await player.click('Valve');
        expectValve(player, i % 2 === 1, `after ${i} clicks`);
    }
};

module.exports = suite([
    {
        name: 'one click opens the Valve and it stays open',
        run: async player => {
            await player.flag();
            expectValve(player, false, 'after the flag');
            await turn(player, 1);
            await player.ticks.pass(20);
            expectValve(player, true, 'some time after a click');
            expectEqual(player.sounds.of('Valve').join(), 'squeak', 'the sounds of the Valve');
        }
    },
    {
        name: 'further clicks shut and open it by turns',
        run: async player => {
            await player.flag();
            await turn(player, 5);
            expectEqual(player.sounds.of('Valve').length, 5, 'squeaks after five clicks');
        }
    },
    {
        name: 'a new green flag shuts it, and it can be opened again',
        run: async player => {
            await player.flag();
            await turn(player, 3);
            await player.flag();
            expectValve(player, false, 'after a new flag');
            await turn(player, 2);
        }
    },
    {
        name: 'the Valve lets the water flow and stops it',
        run: async player => {
            await player.flag();
            await completePump(player);
            await expectWater(player, true, 'with the Valve open');
            await player.click('Valve');
            await expectWater(player, false, 'with the Valve shut');
            await player.click('Valve');
            await expectWater(player, true, 'with the Valve open again');
        }
    },
    ...playThrough
]);
