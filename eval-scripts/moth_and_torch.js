// @ts-check
// Judge of create/moth_and_torch: facing, flying and hovering, with the pointer in several places.

const {expect, expectAt} = require('./lib/expect.js');
const {turn} = require('./lib/motion.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {{x: number, y: number}} Point
 */

const START = {x: -150, y: -100};
const [STEP, NEAR] = [6, 20];
/** Time for the longest way on the stage and some more. */
const FLIGHT_MS = 4000;
/** Ticks: as long as a case may take, but for a short flight. */
const LONG = 215;
const EXACT = 1e-6;

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {Point} from @param {Point} to @returns {number} degrees */
const directionTo = (from, to) => (Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI;

/**
 * Watches the flight to a pointer that stands still: the steps, where they lead, and where it ends.
 * @param {Player} player
 * @param {Point} torch
 */
const watchFlight = async (player, torch) => {
    const moth = player.sprite('Moth');
    const track = player.motion.watch(moth);
    await player.ticks.until('the Moth came near the pointer', () => distance(moth, torch) <= NEAR, FLIGHT_MS);
    track.stop();
    track.expectSeen('on its flight to the pointer');
    for (let i = 1; i < track.samples.length; i += 1) {
        const [a, b] = [track.samples[i - 1], track.samples[i]];
        const way = distance(a, b);
        // The first frame may still be that of the old place.
        if (i === 1 && way === 0) continue;
        expect(Math.abs(way - STEP) < EXACT, `each frame should bring the Moth on by 6 steps, not by ${way}`);
        const off = Math.abs(distance(a, torch) - distance(b, torch) - STEP);
        expect(off < EXACT, 'the Moth should fly straight towards the pointer');
        const facing = Math.abs(turn(b.direction, directionTo(a, torch)));
        expect(facing < EXACT, `the Moth should face the pointer, not direction ${b.direction}`);
    }
    const rest = distance(moth, torch);
    expect(rest > NEAR - STEP, `the Moth should stop 20 steps from the pointer, but came as near as ${rest}`);
};

/**
 * Expects that it stays put and faces the pointer.
 * @param {Player} player
 * @param {Point} torch
 */
const hover = async (player, torch) => {
    const moth = player.sprite('Moth');
    await player.ticks.pass(1);
    const track = await player.motion.during(moth, 20);
    track.expectSeen('while it hovers');
    const {moved, last} = track;
    expect(!moved, 'the Moth should hover where it is');
    const off = Math.abs(turn(last.direction, directionTo(last, torch)));
    expect(off < EXACT, `the Moth should face the pointer while it hovers, not direction ${last.direction}`);
};

/** @param {Player} player @param {Point} point */
const moveTorch = (player, {x, y}) => player.mouse.moveTo(x, y);

module.exports = suite([
    {
        name: 'the flag puts the Moth at its start',
        run: async player => {
            const torch = {x: START.x + 10, y: START.y + 10};
            moveTorch(player, torch);
            await player.flag();
            expectAt(player.sprite('Moth'), START.x, START.y, 'with the pointer near its start');
            await hover(player, torch);
        }
    },
    {
        name: 'it flies straight to the pointer, 6 steps a frame, and stops nearby',
        run: async player => {
            const torch = {x: 100, y: 60};
            moveTorch(player, torch);
            await player.flag();
            await watchFlight(player, torch);
            await hover(player, torch);
        }
    },
    {
        name: 'it follows a pointer that moves on, again and again',
        run: async player => {
            moveTorch(player, START);
            await player.flag();
            for (const torch of [{x: -60, y: 80}, {x: 90, y: -50}, {x: 20, y: -120}]) {
                moveTorch(player, torch);
                await watchFlight(player, torch);
            }
        }
    },
    {
        name: 'it turns with the pointer, but does not fly, while the pointer stays near',
        run: async player => {
            moveTorch(player, START);
            await player.flag();
            for (const [x, y] of [[15, 0], [0, -17], [-12, 12]]) {
                const torch = {x: START.x + x, y: START.y + y};
                moveTorch(player, torch);
                await hover(player, torch);
                expectAt(player.sprite('Moth'), START.x, START.y, `with the pointer ${distance(START, torch)} steps away`);
            }
            const torch = {x: START.x + 24, y: START.y};
            moveTorch(player, torch);
            await watchFlight(player, torch);
        }
    },
    {
        name: 'it hovers at 20 steps, and flies at 21',
        run: async player => {
            moveTorch(player, START);
            await player.flag();
            for (const [x, y] of [[NEAR, 0], [0, NEAR], [-NEAR, 0]]) {
                const torch = {x: START.x + x, y: START.y + y};
                moveTorch(player, torch);
                await hover(player, torch);
                expectAt(player.sprite('Moth'), START.x, START.y, `with the pointer ${distance(START, torch)} steps away`);
            }
            const torch = {x: START.x, y: START.y + NEAR + 1};
            moveTorch(player, torch);
            await watchFlight(player, torch);
            await hover(player, torch);
        }
    },
    {
        name: 'it still follows after it has hovered for a long time',
        run: async player => {
            moveTorch(player, START);
            await player.flag();
            await player.ticks.pass(LONG);
            const torch = {x: START.x + 60, y: START.y + 30};
            moveTorch(player, torch);
            await watchFlight(player, torch);
        }
    },
    {
        name: 'a second green flag brings it back to its start',
        run: async player => {
            const torch = {x: 60, y: -90};
            moveTorch(player, torch);
            await player.flag();
            await watchFlight(player, torch);
            moveTorch(player, START);
            await player.flag();
            expect(distance(player.sprite('Moth'), START) < EXACT, 'the Moth should be at its start after the second flag');
            moveTorch(player, torch);
            await watchFlight(player, torch);
            await hover(player, torch);
        }
    }
]);
