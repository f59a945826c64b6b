// @ts-check
// Judge of debug/toothless_worm: the Worm bites whenever it touches the Mole, and only while it shows.

const {START, FORK, WORM_X, walkTo, fetchKey, fetchBeet, passWorm, getBitten, playThrough} = require('./lib/base_mole_maze.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'a Mole that walks into the Worm is bitten, in each game',
        run: async player => {
            await player.flag();
            await getBitten(player);
            await player.flag();
            expectEqual(player.variable('bites'), 0, 'bites after the second flag');
            await getBitten(player);
            await getBitten(player);
        }
    },
    {
        name: 'a Mole that stands where the Worm comes up is bitten',
        run: async player => {
            const [mole, worm] = ['Mole', 'Worm'].map(name => player.sprite(name));
            await player.flag();
            await walkTo(player, 'right arrow', FORK.x);
            await player.ticks.until('the Worm showed', () => isSeen(worm), 1000);
            await player.ticks.until('the Worm hid', () => !worm.visible, 1000);
            await walkTo(player, 'right arrow', WORM_X);
            expect(!worm.visible, 'the Worm should be below ground for half a second');
            await player.ticks.until('the Worm came up', () => isSeen(worm), 1000);
            await player.ticks.pass(3);
            expectEqual(player.variable('bites'), 1, 'bites after the Worm came up below the Mole');
            expectAt(mole, START.x, START.y, 'after the bite');
        }
    },
    {
        name: 'a Worm that is below ground bites nobody',
        run: async player => {
            await player.flag();
            await passWorm(player);
            await player.ticks.pass(40);
            expectEqual(player.variable('bites'), 0, 'bites after the Mole went past in time');
            await walkTo(player, 'left arrow', 100);
            await player.keys.hold('up arrow', 4);
            expectEqual(player.variable('level'), 1, 'level in the first tunnels');
        }
    },
    {
        name: 'the Key still opens the way to the second level',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            await fetchBeet(player);
            expectEqual(player.variable('bites'), 0, 'bites of a Mole that kept away from the Worm');
        }
    },
    ...playThrough()
]);
