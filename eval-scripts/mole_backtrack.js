// @ts-check
// Judge of extend/mole_backtrack: the b key goes back step by step, as far as the way is remembered.

const {START, FORK, STEP, walkTo, fetchKey, fetchBeet, getBitten, playThrough} = require('./lib/base_mole_maze.js');
const {expectAt} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * Presses b once for each place and checks that the Mole is there.
 * @param {Player} player
 * @param {{x: number, y: number}[]} places
 */
const back = async (player, places) => {
    for (const [i, {x, y}] of places.entries()) {
        await player.tap('b');
        expectAt(player.sprite('Mole'), x, y, `after press ${i + 1} of the b key`);
    }
};

/** @param {number} steps @param {number} [y] */
const place = (steps, y = START.y) => ({x: START.x + steps * STEP, y});

/**
 * Expects that the Mole at its start remembers nothing, and then what it walks anew.
 * @param {Player} player
 * @param {{x: number, y: number}[]} places to which b leads after two steps to the right
 */
const startAnew = async (player, places) => {
    await back(player, [place(0), place(0)]);
    await walkTo(player, 'right arrow', START.x + 2 * STEP);
    await back(player, places);
};

module.exports = suite([
    {
        name: 'b takes the Mole back step by step to where it began',
        run: async player => {
            await player.flag();
            await walkTo(player, 'right arrow', START.x + 5 * STEP);
            await back(player, [4, 3, 2, 1, 0, 0].map(steps => place(steps)));
        }
    },
    {
        name: 'the way back goes round corners and over ways walked twice',
        run: async player => {
            await player.flag();
            await walkTo(player, 'right arrow', FORK.x);
            await walkTo(player, 'up arrow', FORK.y + 2 * STEP);
            await walkTo(player, 'down arrow', FORK.y + STEP);
            await back(player, [place(12, FORK.y + 2 * STEP), place(12, FORK.y + STEP), place(12), place(11), place(10)]);
            await walkTo(player, 'left arrow', START.x + 8 * STEP);
            await back(player, [9, 10, 9, 8].map(steps => place(steps)));
        }
    },
    {
        name: 'bumps into walls are not remembered',
        run: async player => {
            await player.flag();
            await walkTo(player, 'right arrow', START.x + 2 * STEP);
            await player.keys.hold('up arrow', 5);
            await player.keys.hold('down arrow', 5);
            await back(player, [place(1), place(0), place(0)]);
        }
    },
    {
        name: 'a bite makes the Mole forget',
        run: async player => {
            await player.flag();
            await getBitten(player);
            // One that goes back to the Worm must not be bitten back to the start.
            const worm = player.sprite('Worm');
            await player.ticks.until('the Worm hid', () => !worm.visible, 1000);
            await startAnew(player, [place(1), place(0), place(0)]);
        }
    },
    {
        name: 'the next level and the flag make it forget',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            await fetchBeet(player);
            await startAnew(player, [place(1)]);
            await walkTo(player, 'right arrow', START.x + 4 * STEP);
            await player.flag();
            await back(player, [place(0), place(0)]);
        }
    },
    ...playThrough()
]);
