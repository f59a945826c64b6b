// @ts-check
// Judge of extend/hare_hearts: two hits cost a heart each, the third one ends the run.

const {expectNear, expectWords} = require('./lib/base_common.js');
const {THISTLE, SPEED, SCROLL, hopOver, tumble, expectRest, playThrough} = require('./lib/base_hare_run.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {expectCostume} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const HIT_MS = 3000;

/**
 * Waits for a hit that leaves hearts, and looks at how the run goes on.
 * @param {Player} player
 * @param {number} left hearts that are left
 */
const getHit = async (player, left) => {
    const [hare, hills, thistle] = ['Hare', 'Hills', 'Thistle'].map(name => player.sprite(name));
    await player.ticks.until('a hit cost a heart', () => Number(player.variable('hearts')) <= left, HIT_MS);
    await player.ticks.pass(3);
    expectEqual(player.variable('hearts'), left, 'hearts after a hit');
    for (const sprite of [hills, thistle]) expectSeen(sprite, 'after a hit that leaves hearts');
    expect(thistle.x <= THISTLE.x && thistle.x > THISTLE.x - 6 * SPEED, 'the Thistle should come from the right again');
    expectEqual(thistle.y, THISTLE.y, 'y of the Thistle');
    expectCostume(hare, 'ready', 'after a hit that leaves hearts');
    const tracks = [hills, thistle].map(target => player.motion.watch(target));
    await player.ticks.pass(5);
    for (const [i, way] of [5 * SCROLL, 5 * SPEED].entries()) {
        const {sprite} = [hills, thistle][i];
        expectNear(tracks[i].travelled, way, `way of ${sprite.name} in five ticks after a hit`);
    }
    expectEqual(player.speech.of('Hare').length, 0, 'texts while hearts are left');
};

module.exports = suite([
    {
        name: 'a hit costs one heart, and the run goes on',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('hearts'), 3, 'hearts after the flag');
            await getHit(player, 2);
            expectEqual(player.variable('passed'), 0, 'passed after a hit');
        }
    },
    {
        name: 'the third hit ends the run',
        run: async player => {
            await player.flag();
            const hearts = player.data.watch('hearts');
            await getHit(player, 2);
            await getHit(player, 1);
            await tumble(player);
            await expectRest(player, 'after the third hit');
            expectWords(player, 'Hare', ['Ouch!'], 'after the run');
            await player.ticks.pass(10);
            expectEqual(hearts.values.join(), '3,2,1,0', 'hearts in turn');
        }
    },
    {
        name: 'hops still work after a hit, and passed is kept',
        run: async player => {
            await player.flag();
            await hopOver(player);
            expectEqual(player.variable('hearts'), 3, 'hearts after a hop in time');
            await getHit(player, 2);
            expectEqual(player.variable('passed'), 1, 'passed after a hit');
            await hopOver(player);
            expectEqual(player.variable('hearts'), 2, 'hearts after the next hop');
        }
    },
    {
        name: 'the green flag gives three hearts again',
        run: async player => {
            await player.flag();
            await getHit(player, 2);
            await player.flag();
            expectEqual(player.variable('hearts'), 3, 'hearts after the second flag');
            await getHit(player, 2);
        }
    },
    ...playThrough({hits: 3})
]);
