// @ts-check
// Judge of extend/midge_swarm: five Midges in a row, each with its own speed and ghost, come to the light.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {carryTo, playThrough} = require('./lib/base_firefly_meadow.js');
const {effectOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const NUMBERS = [1, 2, 3, 4, 5];
/** How near to the Lantern a Midge comes. */
const NEAR = 40;
const LIGHT = {x: 0, y: 20};

const placeOf = (/** @type {number} */ n) => ({x: 80 * n - 240, y: -120});
const speedOf = (/** @type {number} */ n) => n + 3;

/**
 * @param {Player} player
 * @returns {import('./types').Target[]} the Midges, number 1 first; their starting places tell which is which
 */
const swarm = player => player.clones.of('Midge').sort((a, b) => a.x - b.x);

/**
 * Clicks the green flag and waits for the swarm.
 * @param {Player} player
 */
const start = async player => {
    await player.flag();
    await player.ticks.until('there were five Midges', () => player.clones.count('Midge') >= NUMBERS.length, 1000);
    await player.ticks.pass(2);
};

/**
 * Checks the row in which the flag puts the Midges.
 * @param {Player} player
 */
const expectRow = player => {
    expect(!player.sprite('Midge').visible, 'the Midge itself should stay hidden');
    const midges = swarm(player);
    expectEqual(midges.length, NUMBERS.length, 'the number of Midges');
    for (const n of NUMBERS) {
        const {x, y} = placeOf(n);
        expectAt(midges[n - 1], x, y, `as number ${n}`);
        expectSeen(midges[n - 1], `as number ${n}`);
    }
};

/**
 * @param {import('./types').Target} midge
 * @param {{x: number, y: number}} point
 */
const distanceTo = (midge, {x, y}) => Math.hypot(midge.x - x, midge.y - y);

module.exports = suite([
    {
        name: 'the green flag puts five Midges in a row',
        run: async player => {
            await start(player);
            expectRow(player);
            await start(player);
            expectRow(player);
        }
    },
    {
        name: 'each Midge has a ghost effect of 10 times its number',
        run: async player => {
            await start(player);
            expectRow(player);
            for (const n of NUMBERS) expectEqual(effectOf(swarm(player)[n - 1], 'ghost'), 10 * n, `the ghost effect of Midge ${n}`);
        }
    },
    {
        name: 'in the dark they rest',
        run: async player => {
            await start(player);
            await carryTo(player, LIGHT);
            await player.ticks.pass(20);
            expectRow(player);
        }
    },
    {
        name: 'the light draws them, each with its own speed, until it is near',
        run: async player => {
            await start(player);
            await carryTo(player, LIGHT);
            const midges = swarm(player);
            const tracks = midges.map(midge => player.motion.watch(midge));
            player.mouse.press();
            await player.ticks.until('all Midges were near', () => midges.every(midge => distanceTo(midge, LIGHT) <= NEAR), 4000);
            await player.ticks.pass(10);
            for (const n of NUMBERS) {
                const step = tracks[n - 1].longestStep;
                expect(Math.abs(step - speedOf(n)) < 1e-6, `Midge ${n} should move ${speedOf(n)} steps at a time, but moves ${step}`);
                const left = distanceTo(midges[n - 1], LIGHT);
                expect(left > NEAR - speedOf(n) - 1e-6, `Midge ${n} should stop when it is near, but is ${left} steps away`);
                // Straight on its way, it has turned towards the light and no further.
                const {x, y} = placeOf(n);
                const towards = (Math.atan2(LIGHT.x - x, LIGHT.y - y) * 180) / Math.PI;
                expect(Math.abs(midges[n - 1].direction - towards) < 0.5, `Midge ${n} should point towards the Lantern`);
                expectSeen(midges[n - 1], `as number ${n}, near the light`);
            }
        }
    },
    {
        name: 'they stop when the light goes out and turn to where it comes on again',
        run: async player => {
            await start(player);
            await carryTo(player, LIGHT);
            player.mouse.press();
            await player.ticks.pass(12);
            player.mouse.release();
            await player.ticks.pass(2);
            const midges = swarm(player);
            expect(midges.every(midge => midge.y > placeOf(1).y + 20), 'the Midges should fly up to the light above them');
            const rest = midges.map(({y}) => y);
            await player.ticks.always('the Midges rest in the dark', () => midges.every(({y}, i) => y === rest[i]), 10);
            await carryTo(player, {x: 0, y: -170});
            player.mouse.press();
            await player.ticks.pass(14);
            expect(midges.every(({y}, i) => y < rest[i] - 20), 'the Midges should fly down to the light below them');
            for (const midge of midges) expectSeen(midge, 'on its way to the second light');
        }
    },
    ...playThrough
]);
