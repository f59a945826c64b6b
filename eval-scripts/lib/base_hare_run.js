// @ts-check
// Steps and cases for the tasks on the base project hare_run: a Hare that hops over Thistles.

const {expectHeard, expectNear, expectWords, WHILE} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');
const {costumeOf, expectCostume} = require('./looks.js');
const {expectSeen} = require('./seen.js');

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
/** The Hare that hops when a Thistle is there comes down on it. */
const TOO_EARLY = 150;
/** A Thistle here reaches the Hare in some ticks. */
const NEARBY = 0;
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
    await player.ticks.pass(WHILE);
    for (const [i, track] of tracks.entries()) expect(!track.moved, `${targets[i].sprite.name} should be at rest ${when}`);
};

/**
 * Puts a sprite somewhere at once, as a drag in the editor ends.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {number} x
 */
const putAt = (player, name, x) => {
    player.ticks.mustGoOn();
    const {id, y} = player.sprite(name);
    player.vm.startDrag(id);
    player.vm.postSpriteInfo({x, y, force: true});
    player.vm.stopDrag(id);
};

/** Of each sprite of the scenery: pixels a tick, where it turns back, and where it goes on from there. @type {[string, number, number, number][]} */
const SCENERY = [
    ['Hills', SCROLL, -238, 240],
    ['Cloud', 1, -270, 270]
];

/**
 * Clicks the flag and looks at how the run begins.
 * @param {Player} player
 * @param {number} run from 1
 */
const startRun = async (player, run) => {
    const [hare, thistle] = ['Hare', 'Thistle'].map(name => player.sprite(name));
    await player.flag();
    expectCostume(hare, 'ready', `at the start of run ${run}`);
    expectAt(hare, START.x, START.y, `at the start of run ${run}`);
    expectEqual(player.variable('passed'), 0, `passed at the start of run ${run}`);
    expectSeen(thistle, `in run ${run}`);
    expect(thistle.x > THISTLE.x - 6 * SPEED, `the Thistle should come from x ${THISTLE.x} in run ${run}`);
    expectNear(thistle.y, THISTLE.y, 'y of the Thistle');
};

/**
 * Lets the Thistle hit the Hare, where that does not end the run.
 * @param {Player} player
 * @param {number} times
 */
const takeHits = async (player, times) => {
    const thistle = player.sprite('Thistle');
    for (let i = 0; i < times; i += 1) {
        putAt(player, 'Thistle', NEARBY);
        await player.ticks.until('the Thistle came anew', () => thistle.x > 100, CROSSING_MS);
    }
};

/**
 * Expects that the Hare has tumbled and spoken once in each run.
 * @param {Player} player
 * @param {number} runs
 */
const expectTumbled = async (player, runs) => {
    const hare = player.sprite('Hare');
    expectWords(player, 'Hare', Array(runs).fill('Ouch!'), `after run ${runs}`);
    await expectSecond(player);
    await player.ticks.pass(5);
    expectWords(player, 'Hare', Array(runs).fill('Ouch!'), `some time after run ${runs}`);
    expectAt(hare, START.x, START.y, 'after it has spoken');
    expectCostume(hare, 'tumbled', 'after the run');
};

/**
 * All that the base does.
 * @param {{hits?: number}} [how] `hits`: how many hits end a run
 */
const playThrough = ({hits = 1} = {}) => [
    {
        name: 'the space key makes the Hare hop, from the ground only',
        run: async (/** @type {Player} */ player) => {
            const hare = player.sprite('Hare');
            await player.flag();
            expectAt(hare, START.x, START.y, 'after the flag');
            for (const hop of [1, 2]) {
                // Far away, so that no Thistle comes meanwhile.
                putAt(player, 'Thistle', THISTLE.x);
                const track = player.motion.watch(hare);
                await player.tap('space', 3);
                putAt(player, 'Thistle', THISTLE.x);
                await player.ticks.until('the Hare landed', () => hare.y === START.y, 1500);
                const top = Math.max(...track.samples.map(sample => sample.y));
                expect(top >= 13 && top <= 17, `one hop should go up to about y 15, but went to ${top}`);
                expectHeard(player, 'Hare', Array(hop).fill('hop'), `after ${hop} hops`);
                track.expectSeen('while it hops');
                expectEqual(track.costumes.join(), 'ready', 'costumes of the Hare while it hops');
                await player.ticks.pass(2);
                expectAt(hare, START.x, START.y, 'after a hop');
            }
            putAt(player, 'Thistle', THISTLE.x);
            await player.tap('space');
            await player.ticks.pass(4);
            await player.flag();
            expectAt(hare, START.x, START.y, 'after a flag in the middle of a hop');
            await player.ticks.pass(5);
            expectAt(hare, START.x, START.y, 'five ticks later');
        }
    },
    {
        name: 'a Thistle that hits the Hare ends the run',
        run: async (/** @type {Player} */ player) => {
            await startRun(player, 1);
            await takeHits(player, hits - 1);
            await tumble(player);
            expectAt(player.sprite('Hare'), START.x, START.y, 'after the run');
            const cloud = player.motion.watch(player.sprite('Cloud'));
            await expectRest(player, 'after the run');
            expect(cloud.moved, 'the Cloud should drift on after the run');
            await expectTumbled(player, 1);
        }
    },
    {
        name: 'so does one that hits it in the air, in the next run',
        run: async (/** @type {Player} */ player) => {
            const thistle = player.sprite('Thistle');
            await startRun(player, 1);
            await takeHits(player, hits - 1);
            putAt(player, 'Thistle', NEARBY);
            await tumble(player);
            await startRun(player, 2);
            await takeHits(player, hits - 1);
            // Too early: the Hare comes down on it.
            await player.ticks.until('the Thistle came', () => thistle.x <= TOO_EARLY, CROSSING_MS);
            await player.tap('space');
            expect(player.sprite('Hare').y > START.y, 'the Hare should be in the air after the space key');
            await tumble(player);
            expectEqual(player.variable('passed'), 0, 'passed when the Hare is hit in the air');
            await player.ticks.pass(5);
            expectAt(player.sprite('Hare'), START.x, START.y, 'after it was hit in the air');
            await expectTumbled(player, 2);
        }
    },
    {
        name: 'Thistles come one after the other and are counted when the Hare is over them',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectEqual(player.variable('passed'), 0, 'passed after the flag');
            const thistle = player.sprite('Thistle');
            const track = await player.motion.during(thistle, 10);
            expectNear(track.travelled, 10 * SPEED, 'the way of the Thistle in ten ticks');
            await hopOver(player);
            await player.ticks.pass(2);
            expect(thistle.x > THISTLE.x - 6 * SPEED && thistle.x <= THISTLE.x, 'the next Thistle should come from the right');
            expectNear(thistle.y, THISTLE.y, 'y of the Thistle');
            expectSeen(thistle, 'when the next one comes');
            expectCostume(player.sprite('Hare'), 'ready', 'when the next Thistle comes');
            await player.flag();
            expectEqual(player.variable('passed'), 0, 'passed after a new flag');
            expectEqual(player.variable('speed'), SPEED, 'speed after a new flag');
        }
    },
    {
        name: 'the Hills scroll to the left and the Cloud drifts, both without end',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expect(player.sprite('Hills').x <= 240 && player.sprite('Hills').x > 215, 'the Hills should begin at x 240');
            expect(player.sprite('Cloud').x <= 200 && player.sprite('Cloud').x > 190, 'the Cloud should begin at x 200');
            for (const [name, speed, end, restart] of SCENERY) {
                const sprite = player.sprite(name);
                putAt(player, 'Thistle', THISTLE.x);
                const track = await player.motion.during(sprite, 20);
                expectNear(track.samples[0].x - track.last.x, 20 * speed, `the way of the ${name} in 20 ticks`);
                putAt(player, 'Thistle', THISTLE.x);
                putAt(player, name, end + 2 * speed);
                await player.ticks.pass(12);
                expect(sprite.x > restart - 12 * speed && sprite.x <= restart, `the ${name} should come round at x ${end} to x ${restart}, but is at x ${sprite.x}`);
                const {x} = sprite;
                await player.ticks.pass(5);
                expectAt(sprite, x - 5 * speed, name === 'Hills' ? -70 : 120, `five ticks later`);
            }
            await player.flag();
            expect(player.sprite('Hills').x <= 240 && player.sprite('Hills').x > 215, 'the Hills should begin at x 240 with each flag');
            expect(player.sprite('Cloud').x <= 200 && player.sprite('Cloud').x > 190, 'the Cloud should begin at x 200 with each flag');
        }
    }
];

module.exports = {START, THISTLE, SPEED, SCROLL, hopOver, tumble, expectSecond, expectRest, playThrough};
