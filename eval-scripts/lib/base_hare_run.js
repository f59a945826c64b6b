// @ts-check
// Steps and cases for the tasks on the base project hare_run: a Hare that hops over Thistles.

const {expect, expectAt, expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

/** @typedef {import('./player.js').Player} Player */

const START = {x: -120, y: -90};
/** Where each Thistle comes from. */
const THISTLE = {x: 230, y: -98};
/** Pixels a tick, as the base project has it. */
const SPEED = 10;
/** Of the Hills. */
const SCROLL = 4;
/** The Hare that hops when a Thistle is there is in the air above it, at 10 to 14 pixels a tick. */
const HOP_AT = 24;
/** A Thistle crosses the stage in less than two seconds. */
const CROSSING_MS = 3000;

/**
 * Hops over the next Thistle and waits until it is counted.
 * @param {Player} player
 */
const hopOver = async player => {
    const thistle = player.sprite('Thistle');
    const before = Number(player.variable('passed'));
    await player.ticks.until('the Thistle came near', () => thistle.x <= HOP_AT && thistle.x > START.x, CROSSING_MS);
    await player.tap('space');
    expect(player.sprite('Hare').y > START.y, 'the Hare should be in the air after the space key');
    await player.ticks.until('the Thistle was passed', () => Number(player.variable('passed')) > before, CROSSING_MS);
    expectEqual(player.variable('passed'), before + 1, 'passed after one more Thistle');
};

/**
 * Waits for the Thistle to hit the Hare and the run to end.
 * @param {Player} player
 */
const tumble = async player => {
    const hare = player.sprite('Hare');
    await player.ticks.until('the Hare tumbled', () => costumeOf(hare) === 'tumbled', CROSSING_MS);
    // One or two ticks in which the other sprites hear of it.
    await player.ticks.pass(2);
};

/**
 * Waits until the Hare's last bubble has gone; it should have stayed for a second.
 * @param {Player} player
 */
const expectSecond = async player => {
    const last = player.speech.entries('Hare').at(-1);
    await player.ticks.until('the bubble of the Hare went', () => last !== undefined && last.over, 2000);
    const {text, ticks} = last || {text: '', ticks: 0};
    expect(Math.abs(ticks - 30) <= 1, `the Hare should say ${text} for a second, not for ${ticks} ticks`);
};

/**
 * @param {Player} player
 * @param {string} when completes the message
 */
const expectRest = async (player, when) => {
    const targets = ['Hare', 'Hills', 'Thistle'].map(name => player.sprite(name));
    const tracks = targets.map(target => player.motion.watch(target));
    await player.ticks.pass(10);
    for (const [i, track] of tracks.entries()) expect(!track.moved, `${targets[i].sprite.name} should be at rest ${when}`);
};

/** Cases on what the base project does; they fail on sprites without code. */
const keeps = {
    hopping: {
        name: 'the space key makes the Hare hop, from the ground only',
        run: async (/** @type {Player} */ player) => {
            const hare = player.sprite('Hare');
            await player.flag();
            expectAt(hare, START.x, START.y, 'after the flag');
            const track = player.motion.watch(hare);
            await player.tap('space', 3);
            await player.ticks.until('the Hare landed', () => hare.y === START.y, 1500);
            const top = Math.max(...track.samples.map(sample => sample.y));
            expect(top >= 10 && top <= 20, `one hop should go up to about y 15, but went to ${top}`);
            expectEqual(player.sounds.of('Hare').length, 1, 'hops heard');
        }
    },
    tumbling: {
        name: 'a Thistle that hits the Hare ends the run',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await tumble(player);
            expectEqual(player.speech.of('Hare').join(), 'Ouch!', 'what the Hare says');
            expectAt(player.sprite('Hare'), START.x, START.y, 'after the run');
            await expectRest(player, 'after the run');
            await expectSecond(player);
        }
    },
    passing: {
        name: 'Thistles come one after the other and are counted when the Hare is over them',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectEqual(player.variable('passed'), 0, 'passed after the flag');
            const thistle = player.sprite('Thistle');
            const track = await player.motion.during(thistle, 10);
            expect(Math.abs(track.travelled - 10 * SPEED) <= 2 * SPEED, 'the Thistle should come at its usual speed');
            await hopOver(player);
            await player.ticks.pass(2);
            expect(thistle.x > THISTLE.x - 5 * SPEED, 'the next Thistle should come from the right');
            expectEqual(costumeOf(player.sprite('Hare')), 'ready', 'costume of the Hare');
        }
    },
    scenery: {
        name: 'the Hills scroll to the left and the Cloud drifts',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            const [hills, cloud] = ['Hills', 'Cloud'].map(name => player.motion.watch(player.sprite(name)));
            await player.ticks.pass(20);
            const way = (/** @type {typeof hills} */ track) => track.samples[0].x - track.last.x;
            expect(Math.abs(way(hills) - 80) <= 8, `the Hills should go 80 to the left in 20 ticks, not ${way(hills)}`);
            expect(Math.abs(way(cloud) - 20) <= 2, `the Cloud should go 20 to the left in 20 ticks, not ${way(cloud)}`);
        }
    }
};

module.exports = {START, THISTLE, SPEED, SCROLL, hopOver, tumble, expectSecond, expectRest, keeps};
