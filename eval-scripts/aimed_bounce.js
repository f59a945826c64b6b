// @ts-check
// Judge of extend/aimed_bounce: where the Shell meets the Otter decides its way, and hits make it smaller.

const {expectNear} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {UNDER, awaitBounce, keepUp, letFall, playThrough} = require('./lib/base_otter_shell.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** Less than one percent: what a costume's pixels do to a size. */
const NEARLY = 0.5;
const SHRINK = 10;

/**
 * Waits for the next bounce, with the Otter at rest.
 * @param {Player} player
 * @param {number} x where the Otter waits
 * @returns {Promise<number>} what vx should be then
 */
const bounceAt = async (player, x) => {
    player.mouse.moveTo(x, 0);
    const track = player.motion.watch(player.sprite('Shell'));
    await awaitBounce(player);
    track.stop();
    // The last sample is from after the first step upwards, so the one before is where they met.
    const {x: met} = track.samples[track.samples.length - 2];
    return Math.round((met - x) / 5);
};

/** @param {Player} player @param {number} size */
const expectSize = (player, size) => {
    const is = player.sprite('Shell').size;
    expectSeen(player.sprite('Shell'), `after ${player.variable('hits')} hits`);
    expect(Math.abs(is - size) < NEARLY, `the size of the Shell should be ${size} after ${player.variable('hits')} hits, but is ${is}`);
};

/**
 * Plays well until the Shell was hit so many times.
 * @param {Player} player
 * @param {number} hits
 */
const hitUntil = async (player, hits) => {
    await player.ticks.until(`hits was ${hits}`, () => Number(player.variable('hits')) >= hits, 4000);
    await player.ticks.pass(2);
};

module.exports = suite([
    {
        name: 'the distance from the middle of the Otter decides the way sideways',
        run: async player => {
            for (const offset of [0, -24, 38, 12]) {
                await player.flag();
                const wanted = await bounceAt(player, UNDER + offset);
                expectEqual(player.variable('vx', 'Shell'), wanted, `vx after a bounce with the Otter at x ${UNDER + offset}`);
                const {x} = player.sprite('Shell');
                await player.ticks.pass(2);
                expectNear(player.sprite('Shell').x - x, 2 * wanted, 'the way sideways in two steps after that bounce');
            }
        }
    },
    {
        name: 'a bounce still sends the Shell up with 8 and scores 1',
        run: async player => {
            await player.flag();
            await bounceAt(player, UNDER + 10);
            const {y} = player.sprite('Shell');
            await player.ticks.pass(3);
            expectNear(player.sprite('Shell').y - y, 24, 'the way up in three steps');
            expectEqual(player.variable('score'), 1, 'score after one bounce');
        }
    },
    {
        name: 'hits counts, and with every second hit the Shell shrinks by 10',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('hits'), 0, 'hits after the flag');
            expectSize(player, 100);
            keepUp(player);
            for (const hits of [1, 2, 3, 4]) {
                await hitUntil(player, hits);
                expectEqual(player.variable('hits'), hits, 'hits');
                expectSize(player, 100 - SHRINK * Math.floor(hits / 2));
            }
        }
    },
    {
        name: 'a fall sets hits to 0 and the size to 100',
        run: async player => {
            await player.flag();
            const stop = keepUp(player);
            await hitUntil(player, 2);
            expectSize(player, 100 - SHRINK);
            stop();
            await letFall(player);
            await player.ticks.pass(2);
            expectEqual(player.variable('hits'), 0, 'hits after a fall');
            expectSize(player, 100);
        }
    },
    {
        name: 'so does a new green flag',
        run: async player => {
            await player.flag();
            keepUp(player);
            await hitUntil(player, 2);
            expectSize(player, 100 - SHRINK);
            await player.flag();
            expectEqual(player.variable('hits'), 0, 'hits after a new flag');
            expectSize(player, 100);
        }
    },
    ...playThrough
]);
