// @ts-check
// Judge of create/shy_chameleon: keys and clicks, each with its effect.

const {expectAt, expectEqual} = require('./lib/expect.js');
const {effectOf} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * @param {Player} player
 * @param {number} color
 * @param {number} ghost
 * @param {string} when
 */
const expectEffects = (player, color, ghost, when) => {
    const chameleon = player.sprite('Chameleon');
    expectEqual(effectOf(chameleon, 'color'), color, `the color effect ${when}`);
    expectEqual(effectOf(chameleon, 'ghost'), ghost, `the ghost effect ${when}`);
    for (const effect of /** @type {const} */ (['fisheye', 'whirl', 'pixelate', 'mosaic', 'brightness'])) {
        expectEqual(effectOf(chameleon, effect), 0, `the ${effect} effect ${when}`);
    }
};

module.exports = suite([
    {
        name: 'each press of the right arrow key raises the color effect by 25',
        run: async player => {
            await player.flag();
            expectEffects(player, 0, 0, 'after the flag');
            for (let i = 1; i <= 3; i += 1) {
                await player.tap('right arrow');
                expectEffects(player, i * 25, 0, `after ${i} presses`);
            }
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
            expectEffects(player, 25, 60, 'after a press to the left');
        }
    },
    {
        name: 'the space key takes all effects away, and they can come back',
        run: async player => {
            await player.flag();
            await player.tap('right arrow', 3);
            await player.click('Chameleon');
            await player.tap('space');
            expectEffects(player, 0, 0, 'after the space key');
            await player.tap('left arrow');
            expectEffects(player, -25, 0, 'after a press to the left');
            await player.click('Chameleon');
            expectEffects(player, -25, 60, 'after a click');
        }
    },
    {
        name: 'other keys do nothing, and the Chameleon stays where it is',
        run: async player => {
            const chameleon = player.sprite('Chameleon');
            const {x, y} = chameleon;
            await player.flag();
            await player.tap('right arrow');
            for (const key of ['up arrow', 'down arrow', 'a', 'enter']) await player.tap(key);
            expectEffects(player, 25, 0, 'after other keys');
            expectAt(chameleon, x, y, 'after all keys');
            expectEqual(chameleon.size, 100, 'its size');
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
        }
    }
]);
