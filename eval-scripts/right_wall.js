// @ts-check
// Judge of debug/right_wall: the Shell comes back from the right edge as it does from the other sides.

const {expectNear} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {keepUp, playThrough} = require('./lib/base_otter_shell.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** From the start to the right edge, and to the left one. */
const [RIGHT_MS, LEFT_MS] = [2500, 6000];
const EDGE = 215;
const SPEED = 5;

/**
 * Plays well until the Shell has passed the right edge's mark.
 * @param {Player} player
 */
const toTheRight = async player => {
    await player.flag();
    keepUp(player);
    const shell = player.sprite('Shell');
    await player.ticks.until('the Shell came to the right edge', () => shell.x > EDGE, RIGHT_MS);
};

module.exports = suite([
    {
        name: 'the Shell turns back at the right edge',
        run: async player => {
            await toTheRight(player);
            const shell = player.sprite('Shell');
            await player.ticks.until('the Shell was back at x 200', () => shell.x <= EDGE - 15, 500);
        }
    },
    {
        name: 'it keeps its speed: 5 sideways and 8 up or down',
        run: async player => {
            await toTheRight(player);
            await player.ticks.pass(2);
            const track = await player.motion.during(player.sprite('Shell'), 20);
            for (const [i, {x, y}] of track.samples.entries()) {
                const last = track.samples[i - 1];
                if (last === undefined) continue;
                expectNear(x - last.x, -SPEED, 'the way to the left in a step');
                expectNear(Math.abs(y - last.y), 8, 'the way up or down in a step');
            }
        }
    },
    {
        name: 'it crosses the bay to the left edge and turns there too',
        run: async player => {
            await toTheRight(player);
            const shell = player.sprite('Shell');
            await player.ticks.until('the Shell came to the left edge', () => shell.x < -EDGE, LEFT_MS);
            await player.ticks.until('the Shell turned at the left edge', () => shell.x > -EDGE + 10, 500);
            expectEqual(player.variable('lives'), 3, 'lives while the Otter keeps the Shell up');
        }
    },
    {
        name: 'it stays on the stage',
        run: async player => {
            await player.flag();
            keepUp(player);
            const track = await player.motion.during(player.sprite('Shell'), 120);
            track.expectSeen('in play');
            const out = track.leaves({left: -EDGE - SPEED, right: EDGE + SPEED, top: 163});
            expect(out === null, `the Shell should stay between the edges, but was at x ${out?.x} y ${out?.y}`);
            expect(track.samples.some(({x}, i) => i > 0 && x < track.samples[i - 1].x), 'the Shell should come back');
        }
    },
    ...playThrough
]);
