// @ts-check
// Judge of debug/ghost_gate: the closed Gate stops the Mole, the Key opens it, and the game can be won.

const {GATE_X, KEY, FORK, walkTo, fetchKey, fetchBeet, playThrough} = require('./lib/base_mole_maze.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'the Gate is closed again in the next game',
        run: async player => {
            const [mole, gate] = ['Mole', 'Gate'].map(name => player.sprite(name));
            await player.flag();
            await fetchKey(player);
            await player.flag();
            for (const sprite of [gate, player.sprite('Key')]) expectSeen(sprite, 'after the second flag');
            await walkTo(player, 'right arrow', FORK.x);
            await walkTo(player, 'up arrow', KEY.y);
            await player.keys.hold('right arrow', 15);
            expect(mole.x < GATE_X, `the Gate should stop the Mole in the second game, but it is at x ${mole.x}`);
            expectEqual(player.variable('level'), 1, 'level in the second game');
            await walkTo(player, 'left arrow', FORK.x);
        }
    },
    {
        name: 'the Key is there until it is fetched, and the open Gate lets the Mole pass',
        run: async player => {
            const key = player.sprite('Key');
            await player.flag();
            await player.keys.hold('right arrow', 8);
            expectSeen(key, 'before the Mole is there');
            await player.flag();
            await fetchKey(player);
            await fetchBeet(player);
            expect(!key.visible, 'the Key should be gone on the second level');
        }
    },
    ...playThrough()
]);
