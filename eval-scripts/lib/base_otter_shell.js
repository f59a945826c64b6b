// @ts-check
// What the judges over the base otter_shell share: playing well, playing badly, and cases on what works there.

const {expect, expectAt, expectEqual} = require('./expect.js');

/** @typedef {import('./player.js').Player} Player */

const START = {x: 0, y: 40};
/** Where the Otter misses each Shell that was just served. */
const ASIDE = -200;
/** In the first fall the Shell meets the Otter here if the pointer is here. */
const UNDER = 75;
/** A fall to the Reef takes less, from wherever it begins. */
const FALL_MS = 3000;

/**
 * Keeps the Otter under the Shell from now on.
 * @param {Player} player
 * @returns {() => void} ends it
 */
const keepUp = player => {
    const shell = player.sprite('Shell');
    return player.ticks.observe(() => player.mouse.moveTo(Math.round(shell.x), 0));
};

/**
 * Lets the Shell fall once.
 * @param {Player} player
 */
const letFall = async player => {
    player.mouse.moveTo(ASIDE, 0);
    const before = Number(player.variable('lives'));
    await player.ticks.until('a fall cost a life', () => Number(player.variable('lives')) < before, FALL_MS);
    expectEqual(player.variable('lives'), before - 1, 'lives after one more fall');
};

/**
 * Waits until the Shell goes up again after it has come down.
 * @param {Player} player
 * @param {number} [ms]
 */
const awaitBounce = async (player, ms = FALL_MS) => {
    const track = player.motion.watch(player.sprite('Shell'));
    const rises = () => {
        const [a, b, c] = track.samples.slice(-3);
        return c !== undefined && c.y > b.y && b.y < a.y;
    };
    await player.ticks.until('the Shell bounced upwards', rises, ms);
    track.stop();
};

/** Score, lives and the Otter. */
const scoreCase = {
    name: 'the Otter still follows the pointer, a bounce scores 1, a fall costs a life and the flag resets both',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        for (const x of [-90, 120, UNDER]) {
            player.mouse.moveTo(x, 50);
            await player.ticks.pass(2);
            expectAt(player.sprite('Otter'), x, -110, 'with the pointer above it');
        }
        await awaitBounce(player);
        expectEqual(player.variable('score'), 1, 'score after one bounce');
        expectEqual(player.variable('lives'), 3, 'lives after one bounce');
        await player.flag();
        expectEqual(player.variable('score'), 0, 'score after a new flag');
        await letFall(player);
        expectEqual(player.variable('lives'), 2, 'lives after a fall');
        await player.ticks.pass(2);
        const {y} = player.sprite('Shell');
        expect(y > 0 && y <= START.y, `the Shell should start again from above after a fall, but is at y ${y}`);
        await player.flag();
        expectEqual(player.variable('lives'), 3, 'lives after a new flag');
    }
};

module.exports = {START, UNDER, FALL_MS, keepUp, letFall, awaitBounce, scoreCase};
