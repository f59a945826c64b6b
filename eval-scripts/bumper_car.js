// @ts-check
// Judge of create/bumper_car: steps, directions after each edge, rotation style, restart.

const {expect, expectEqual} = require('./lib/expect.js');
const {turn} = require('./lib/motion.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {import('./lib/motion.js').Track['samples']} Samples
 */

const STEP = 8;
/** Directions in turn: start, right edge, top, left edge, bottom. */
const WAY = [60, -60, -120, 120, 60];
/** Ticks that are watched: the five ways take 180. */
const [TRIP, LONG_TRIP] = [180, 230];
const STAGE = {left: -240, right: 240, top: 180, bottom: -180};
/** Degrees and Scratch units that rounding may cost. */
const EXACT = 1e-6;

/**
 * @param {number} a degrees
 * @param {number} b degrees
 */
const sameDirection = (a, b) => Math.abs(turn(a, b)) < EXACT;

/**
 * Expects that the Car has just started.
 * @param {Player} player
 * @param {string} when
 */
const expectStart = (player, when) => {
    const {x, y, direction} = player.sprite('Car');
    expectSeen(player.sprite('Car'), when);
    const steps = Math.hypot(x, y) / STEP;
    const onItsWay = Math.abs(steps - Math.round(steps)) < EXACT && steps < 5;
    expect(onItsWay, `the Car should be a few steps from x 0, y 0 ${when}, but is at x ${x}, y ${y}`);
    expect(sameDirection(direction, WAY[0]), `the Car should drive in direction 60 ${when}, not ${direction}`);
    const straight = steps < EXACT || sameDirection((Math.atan2(x, y) * 180) / Math.PI, WAY[0]);
    expect(straight, `the Car should have driven in direction 60 ${when}, but is at x ${x}, y ${y}`);
};

/**
 * Watches the Car for so many ticks, in which it must be seen.
 * @param {Player} player
 * @param {number} n
 * @returns {Promise<Samples>}
 */
const drive = async (player, n) => {
    const track = await player.motion.during(player.sprite('Car'), n);
    track.expectSeen('while it drives');
    return track.samples;
};

/**
 * Expects 8 steps in each frame, straight on, but for the frames in which it bounces.
 * @param {Samples} samples
 */
const expectSteps = samples => {
    for (let i = 1; i < samples.length; i += 1) {
        const [a, b] = [samples[i - 1], samples[i]];
        const way = Math.hypot(b.x - a.x, b.y - a.y);
        if (!sameDirection(a.direction, b.direction)) continue;
        expect(Math.abs(way - STEP) < EXACT, `each frame should bring the Car on by 8 steps, not by ${way}`);
        const went = (Math.atan2(b.x - a.x, b.y - a.y) * 180) / Math.PI;
        expect(sameDirection(went, b.direction), `the Car should drive in its direction ${b.direction}, not ${went}`);
    }
};

/**
 * Expects that it bounces off the four edges in turn.
 * @param {Samples} samples
 */
const expectBounces = samples => {
    const directions = samples
        .map(sample => sample.direction)
        .filter((direction, i, all) => i === 0 || !sameDirection(direction, all[i - 1]));
    for (const [i, wanted] of WAY.entries()) {
        expect(i < directions.length, `the Car should have bounced ${i} times within six seconds`);
        expect(sameDirection(directions[i], wanted), `direction ${i + 1} should be ${wanted}, not ${directions[i]}`);
    }
};

module.exports = suite([
    {
        name: 'it starts from the middle in direction 60',
        run: async player => {
            await player.flag();
            expectStart(player, 'after the flag');
        }
    },
    {
        name: 'it goes 8 steps in each frame, straight on, for as long as it is watched',
        run: async player => {
            await player.flag();
            expectSteps(await drive(player, LONG_TRIP));
        }
    },
    {
        name: 'it bounces off each edge as a ball does',
        run: async player => {
            await player.flag();
            expectBounces(await drive(player, TRIP));
        }
    },
    {
        name: 'it turns round at the edge, not before, and stays on the stage',
        run: async player => {
            await player.flag();
            const car = player.sprite('Car');
            await player.motion.staysWithin(car, STAGE, 20);
            const turned = () => !sameDirection(car.direction, WAY[0]);
            await player.ticks.until('the Car bounced', turned, 2000);
            expect(car.x > 180 && car.x < 240, `the Car should bounce off the right edge, not at x ${car.x}`);
            await player.motion.staysWithin(car, STAGE, 100);
        }
    },
    {
        name: 'its rotation style is left-right',
        run: async player => {
            await player.flag();
            const car = player.sprite('Car');
            await player.ticks.always('its rotation style is left-right', () => car.rotationStyle === 'left-right', 60);
            await player.ticks.until('the Car had bounced', () => car.direction < 0, 2000);
            expectEqual(car.rotationStyle, 'left-right', 'its rotation style after an edge');
        }
    },
    {
        name: 'a second green flag starts it from the middle again, and it drives and bounces as before',
        run: async player => {
            const car = player.sprite('Car');
            await player.flag();
            await player.ticks.until('the Car bounced', () => sameDirection(car.direction, WAY[1]), 2000);
            await player.flag();
            expectStart(player, 'after the second flag');
            const samples = await drive(player, TRIP);
            expectSteps(samples);
            expectBounces(samples);
            expectEqual(car.rotationStyle, 'left-right', 'its rotation style after the second flag');
        }
    }
]);
