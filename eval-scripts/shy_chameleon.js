// @ts-check
// Judge of create/shy_chameleon: keys and clicks, each with its effect.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {effectOf} = require('./lib/looks.js');
const {expectSeen, isThere} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const EFFECTS = /** @type {const} */ (['color', 'ghost', 'fisheye', 'whirl', 'pixelate', 'mosaic', 'brightness']);
/** Where it stands, and how it looks. */
const [PLACE, SIZE, DIRECTION] = [{x: 10, y: 0}, 100, 90];
/** Ticks for which nothing may change by itself. */
const WHILE = 66;

/**
 * Expects these effects and no others, and that nothing else has changed.
 * @param {Player} player
 * @param {number} color
 * @param {number} ghost
 * @param {string} when
 */
const expectEffects = (player, color, ghost, when) => {
    const chameleon = player.sprite('Chameleon');
    /** @type {Record<string, number>} */
    const wanted = {color, ghost};
    for (const effect of EFFECTS) {
        const [found, should] = [effectOf(chameleon, effect), wanted[effect] ?? 0];
        expect(Math.abs(found - should) < 1e-6, `the ${effect} effect ${when} should be ${should}, but is ${found}`);
    }
    expectAt(chameleon, PLACE.x, PLACE.y, when);
    expectEqual(chameleon.size, SIZE, `its size ${when}`);
    expectEqual(chameleon.direction, DIRECTION, `its direction ${when}`);
    expectSeen(chameleon, when);
};

/**
 * Expects the same effects for more than two seconds.
 * @param {Player} player
 * @param {number} color
 * @param {number} ghost
 * @param {string} when
 */
const keepsEffects = async (player, color, ghost, when) => {
    expectEffects(player, color, ghost, when);
    const chameleon = player.sprite('Chameleon');
    const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 1e-6;
    const sameEffects = () => near(effectOf(chameleon, 'color'), color) && near(effectOf(chameleon, 'ghost'), ghost);
    const same = () => sameEffects() && isThere(chameleon);
    await player.ticks.always(`it is seen with a color effect of ${color} and a ghost effect of ${ghost}`, same, WHILE);
    expectEffects(player, color, ghost, `some time ${when}`);
};

module.exports = suite([
    {
        name: 'each press of the right arrow key raises the color effect by 25',
        run: async player => {
            await player.flag();
            expectEffects(player, 0, 0, 'after the flag');
            for (let i = 1; i <= 9; i += 1) {
                await player.tap('right arrow');
                expectEffects(player, i * 25, 0, `after ${i} presses`);
            }
            await keepsEffects(player, 225, 0, 'after nine presses');
        }
    },
    {
        name: 'each press of the left arrow key lowers it by 25',
        run: async player => {
            await player.flag();
            await player.tap('right arrow');
            for (let i = 1; i <= 3; i += 1) {
                await player.tap('left arrow');
                expectEffects(player, 25 - i * 25, 0, `after one press to the right and ${i} to the left`);
            }
        }
    },
    {
        name: 'a click sets the ghost effect to 60, and another one leaves it there',
        run: async player => {
            await player.flag();
            await player.tap('right arrow', 2);
            await player.click('Chameleon');
            expectEffects(player, 50, 60, 'after two presses and a click');
            await player.click('Chameleon');
            expectEffects(player, 50, 60, 'after another click');
            await player.tap('left arrow');
            await keepsEffects(player, 25, 60, 'after a press to the left');
        }
    },
    {
        name: 'the space key takes all effects away, and they can come back',
        run: async player => {
            await player.flag();
            await player.tap('right arrow', 3);
            await player.click('Chameleon');
            await player.tap('space');
            await keepsEffects(player, 0, 0, 'after the space key');
            await player.tap('left arrow');
            expectEffects(player, -25, 0, 'after a press to the left');
            await player.click('Chameleon');
            expectEffects(player, -25, 60, 'after a click');
        }
    },
    {
        name: 'other keys do nothing, and the Chameleon stays where it is',
        run: async player => {
            await player.flag();
            await player.tap('right arrow');
            for (const key of ['up arrow', 'down arrow', 'a', 'enter']) await player.tap(key);
            expectEffects(player, 25, 0, 'after other keys');
            await player.mouse.clickStage();
            await keepsEffects(player, 25, 0, 'after other keys and a click beside it');
        }
    },
    {
        name: 'a second green flag takes the effects away, and keys start from there',
        run: async player => {
            await player.flag();
            await player.tap('right arrow', 2);
            await player.click('Chameleon');
            await player.flag();
            expectEffects(player, 0, 0, 'after the second flag');
            await player.tap('right arrow');
            expectEffects(player, 25, 0, 'after the second flag and a press');
            await player.click('Chameleon');
            expectEffects(player, 25, 60, 'after the second flag, a press and a click');
            await player.tap('left arrow', 2);
            await player.tap('space');
            await player.tap('left arrow');
            expectEffects(player, -25, 0, 'after the space key and a press to the left');
        }
    }
]);
