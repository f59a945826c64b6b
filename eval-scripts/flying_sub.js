// @ts-check
// Judge of debug/flying_sub: the Sub stops at the surface and works as before below it.

const {START, STROKE, surface, playThrough} = require('./lib/base_pearl_sub.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'at the start the up arrow key lifts the Sub no further',
        run: async player => {
            await player.flag();
            const track = player.motion.watch(player.sprite('Sub'));
            await player.tap('up arrow', 3);
            expectSeen(player.sprite('Sub'), 'at the surface');
            expect(!track.moved, 'the Sub should stay at the surface');
            expectEqual(player.variable('depth'), 0, 'depth at the surface');
        }
    },
    {
        name: 'after a dive the Sub rises to the surface and no further',
        run: async player => {
            const sub = player.sprite('Sub');
            await player.flag();
            await player.tap('right arrow');
            await player.tap('down arrow', 3);
            expectEqual(player.variable('depth'), 3 * STROKE, 'depth after three strokes down');
            const track = player.motion.watch(sub);
            for (const depth of [2, 1, 0, 0, 0]) {
                await player.tap('up arrow');
                expectAt(sub, START.x + STROKE, START.y - depth * STROKE, 'on its way up');
                expectEqual(player.variable('depth'), depth * STROKE, 'depth on the way up');
            }
            expect(track.leaves({top: START.y}) === null, 'the Sub should never be above the surface');
        }
    },
    {
        name: 'the Sub stays in the water after the Buoy and after a second flag',
        run: async player => {
            const sub = player.sprite('Sub');
            await player.flag();
            await player.tap('down arrow', 2);
            await surface(player);
            await player.tap('up arrow');
            expectAt(sub, START.x, START.y, 'after the Buoy and a press of the up arrow key');
            await player.flag();
            await player.tap('up arrow', 2);
            expectAt(sub, START.x, START.y, 'after the second flag and two presses');
        }
    },
    ...playThrough
]);
