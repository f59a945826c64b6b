// @ts-check
// What the judges over the base firefly_meadow share: playing with the Lantern, and cases on what works there.

const {expectHeard, expectNear} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');
const {effectOf, expectCostume} = require('./looks.js');
const {expectSeen, isSeen} = require('./seen.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {import('../types').Target} Target
 */

/** Where the green flag puts the Firefly. */
const FIREFLY = {x: 0, y: 80};
/** Far from where the flag puts anything, so that nothing is caught there. */
const AWAY = {x: -100, y: -100};

/**
 * Moves the Lantern, by the pointer.
 * @param {Player} player
 * @param {{x: number, y: number}} point in whole Scratch units
 */
const carryTo = async (player, {x, y}) => {
    player.mouse.moveTo(x, y);
    await player.ticks.pass(2);
};

/**
 * Lights the Lantern somewhere; the mouse button stays down.
 * @param {Player} player
 * @param {{x: number, y: number}} point where
 */
const burn = async (player, point) => {
    await carryTo(player, point);
    player.mouse.press();
};

/**
 * Lights the Lantern for some time, then puts it out.
 * @param {Player} player
 * @param {{x: number, y: number}} point where
 * @param {number} n ticks that the mouse button is down
 */
const shine = async (player, point, n) => {
    await burn(player, point);
    await player.ticks.pass(n);
    player.mouse.release();
    await player.ticks.pass(3);
};

/**
 * Carries the Lantern to the Firefly and catches it, once; the mouse button stays down.
 * @param {Player} player
 */
const catchAndHold = async player => {
    const {x, y} = player.sprite('Firefly');
    const before = Number(player.variable('caught'));
    await burn(player, {x: Math.round(x), y: Math.round(y)});
    await player.ticks.until('the Firefly was caught', () => Number(player.variable('caught')) > before, 500);
    await player.ticks.pass(2);
    expectEqual(player.variable('caught'), before + 1, 'caught after one more catch');
};

/**
 * Catches the Firefly, once, and releases the mouse button.
 * @param {Player} player
 */
const catchFirefly = async player => {
    await catchAndHold(player);
    player.mouse.release();
    await player.ticks.pass(3);
};

/** The Lantern, the Firefly and the Moth do as in the base. */
const worksAsBefore = {
    name: 'the Lantern still follows the pointer and catches the Firefly, and the Moth still follows the Lantern',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        const [lantern, firefly, moth] = ['Lantern', 'Firefly', 'Moth'].map(name => player.sprite(name));
        expectAt(firefly, FIREFLY.x, FIREFLY.y, 'after the flag');
        await carryTo(player, AWAY);
        expectAt(lantern, AWAY.x, AWAY.y, 'with the pointer there');
        expectCostume(lantern, 'dark', 'while the button is up');
        player.mouse.press();
        await player.ticks.pass(2);
        expectCostume(lantern, 'lit', 'while the button is down');
        player.mouse.release();
        await player.ticks.pass(3);
        expectEqual(player.variable('caught'), 0, 'caught far from the Firefly');
        await catchFirefly(player);
        expect(firefly.x !== FIREFLY.x || firefly.y !== FIREFLY.y, 'the Firefly should fly off when it is caught');
        const away = () => Math.hypot(moth.x - lantern.x, moth.y - lantern.y);
        await player.ticks.until('the Moth came near the Lantern', () => away() < 62, 4000);
        expectSeen(moth, 'near the Lantern');
    }
};

/** What catches do to the Firefly. */
const fireflyCase = {
    name: 'each catch is still heard, dims the Firefly until the button is up, and sends it to another place',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        const firefly = player.sprite('Firefly');
        const places = new Set();
        for (let i = 1; i <= 4; i += 1) {
            expectEqual(effectOf(firefly, 'ghost'), 0, `the ghost effect of the Firefly before catch ${i}`);
            await catchAndHold(player);
            expectHeard(player, 'Firefly', Array(i).fill('ping'), `after catch ${i}`);
            expectEqual(effectOf(firefly, 'ghost'), 60, `the ghost effect of the Firefly after catch ${i}, with the button down`);
            expectSeen(firefly, `after catch ${i}`);
            const {x, y} = firefly;
            expect(Math.abs(x) <= 200 && y >= -120 && y <= 140, `the Firefly should stay on the meadow, but flew to (${x}, ${y})`);
            places.add(x).add(y);
            player.mouse.release();
            await player.ticks.until('the Firefly was bright again', () => effectOf(firefly, 'ghost') === 0 && isSeen(firefly), 1000);
        }
        expect(places.size >= 6, 'the Firefly should fly to a different place each time');
        await catchAndHold(player);
        // A lit Lantern that happened to be at the start of the Firefly would catch it at once.
        await carryTo(player, AWAY);
        await player.flag();
        expectEqual(player.variable('caught'), 0, 'caught after a new flag');
        expectAt(firefly, FIREFLY.x, FIREFLY.y, 'after a new flag');
        const track = await player.motion.during(firefly, 40);
        track.expectSeen('while it flaps its wings');
        const changes = track.samples.slice(1).filter(({costume}, i) => costume !== track.samples[i].costume).length;
        expect(changes >= 4 && changes <= 7, `the Firefly should flap its wings about five times a second, not ${changes} times in 40 ticks`);
    }
};

/** The Moth. */
const mothCase = {
    name: 'the Moth still flies towards the Lantern and stops before it, in each game',
    run: async (/** @type {Player} */ player) => {
        await carryTo(player, AWAY);
        const moth = player.sprite('Moth');
        for (const game of [1, 2]) {
            await player.flag();
            expect(Math.hypot(moth.x + 180, moth.y - 120) < 20, `the Moth should begin at x -180 y 120 in game ${game}`);
            const track = await player.motion.during(moth, 20);
            track.expectSeen('on its way');
            expectNear(track.travelled, 60, 'the way of the Moth in 20 ticks');
            const {x, y, direction} = track.last;
            const towards = (Math.atan2(AWAY.x - x, AWAY.y - y) * 180) / Math.PI;
            expect(Math.abs(direction - towards) < 0.5, 'the Moth should point towards the Lantern');
        }
        await player.ticks.pass(60);
        const away = Math.hypot(moth.x - AWAY.x, moth.y - AWAY.y);
        expect(away <= 60 && away > 55, `the Moth should stop 60 steps before the Lantern, but is ${away} away`);
    }
};

/** The trail. */
const sparksCase = {
    name: 'while the button is down Sparks still come from the Lantern, fall, shrink and go',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        await carryTo(player, AWAY);
        await player.ticks.pass(10);
        expectEqual(player.clones.made('Spark'), 0, 'Sparks while the button is up');
        player.mouse.press();
        await player.ticks.until('there was a Spark', () => player.clones.made('Spark') > 0, 500);
        const {target: spark} = player.clones.created[player.clones.created.findIndex(({sprite}) => sprite === 'Spark')];
        await player.ticks.pass(1);
        // It begins behind the Lantern.
        expectSeen(spark, 'while it falls', {mayBeCovered: true});
        expect(!isSeen(player.sprite('Spark')), 'each Spark should show, and the sprite itself should not');
        const track = player.motion.watch(spark);
        await player.ticks.until('the Spark was gone', () => !player.clones.isAlive(spark), 1000);
        expect(track.samples.every(({x}) => Math.abs(x - AWAY.x) < 1e-6), 'a Spark should fall straight down from the Lantern');
        expect(track.last.y <= AWAY.y - 25, `a Spark should fall by 30, but went at y ${track.last.y}`);
        expect(track.last.size <= 36, `a Spark should shrink to 20%, but had ${track.last.size}%`);
        const before = player.clones.made('Spark');
        await player.ticks.pass(15);
        const made = player.clones.made('Spark') - before;
        expect(made >= 3 && made <= 5, `a Spark should come every tenth of a second, not ${made} in half a second`);
        player.mouse.release();
        await player.ticks.pass(18);
        expectEqual(player.clones.count('Spark'), 0, 'Sparks some time after the button was released');
        expectCostume(player.sprite('Lantern'), 'dark', 'some time after the button was released');
    }
};

/** All that the base does. */
const playThrough = [worksAsBefore, fireflyCase, mothCase, sparksCase];

module.exports = {AWAY, FIREFLY, carryTo, burn, shine, catchAndHold, catchFirefly, playThrough};
