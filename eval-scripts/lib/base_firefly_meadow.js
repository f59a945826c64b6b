// @ts-check
// What the judges over the base firefly_meadow share: playing with the Lantern, and cases on what works there.

const {expect, expectAt, expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

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
        expectEqual(costumeOf(lantern), 'dark', "the Lantern's costume while the button is up");
        player.mouse.press();
        await player.ticks.pass(2);
        expectEqual(costumeOf(lantern), 'lit', "the Lantern's costume while the button is down");
        player.mouse.release();
        await player.ticks.pass(3);
        expectEqual(player.variable('caught'), 0, 'caught far from the Firefly');
        await catchFirefly(player);
        expect(firefly.x !== FIREFLY.x || firefly.y !== FIREFLY.y, 'the Firefly should fly off when it is caught');
        const away = () => Math.hypot(moth.x - lantern.x, moth.y - lantern.y);
        await player.ticks.until('the Moth came near the Lantern', () => away() < 62, 4000);
    }
};

module.exports = {AWAY, FIREFLY, carryTo, burn, shine, catchAndHold, catchFirefly, worksAsBefore};
