// @ts-check
// Judge of create/apple_basket: the Basket follows the mouse, apples fall, are caught or missed, and the third miss ends it.

const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const [TOP, GROUND, FALL, BASKET_Y, MAX_X] = [160, -165, 10, -140, 200];
/** A whole fall takes 33 ticks. */
const FALL_MS = 2000;
/** Draws: that all miss the outer quarter on one side happens once in a million times. */
const [FLAGS, OUTER] = [52, 105];

/** @param {Player} player */
const apple = player => player.sprite('Apple');

/**
 * @param {Player} player
 * @param {number} caught
 * @param {number} missed
 * @param {string} when
 * @param {number} [before] caught in earlier games
 */
const expectScore = (player, caught, missed, when, before = 0) => {
    expectEqual(player.variable('caught'), caught, `caught ${when}`);
    expectEqual(player.variable('missed'), missed, `missed ${when}`);
    const thumps = Array(before + caught).fill('thump').join(', ');
    expectEqual(player.sounds.of('Apple').join(', '), thumps, `the sounds ${when}`);
};

/**
 * Lets one Apple fall until it is at the top again, or until nothing moves any more.
 * @param {Player} player
 * @param {boolean} catching whether the Basket is below it, or far from it
 * @returns {Promise<number>} how low it got
 */
const fall = async (player, catching) => {
    const {x} = apple(player);
    const away = x > 0 ? -MAX_X : MAX_X;
    player.mouse.moveTo(catching ? x : away, 0);
    let [lowest, rested] = [apple(player).y, 0];
    const end = player.ticks.observe(() => {
        const {y} = apple(player);
        rested = y === lowest ? rested + 1 : 0;
        lowest = Math.min(lowest, y);
    });
    const over = () => apple(player).y > lowest || rested > 5;
    await player.ticks.until('the Apple was caught or missed', over, FALL_MS);
    end();
    return lowest;
};

/** @param {Player} player */
const expectAtTop = player => {
    const {x, y} = apple(player);
    expect(y <= TOP && y >= TOP - 4 * FALL, `the Apple should be at the top, y 160, not at y ${y}`);
    const inRange = Number.isInteger(x) && Math.abs(x) <= MAX_X;
    expect(inRange, `the Apple's x should be a whole number from -200 to 200, not ${x}`);
};

module.exports = suite([
    {
        name: 'over many flags, the Apple starts at the top all over its range',
        run: async player => {
            /** @type {number[]} */
            const places = [];
            for (let i = 0; i < FLAGS; i += 1) {
                await player.flag();
                expectAtTop(player);
                places.push(apple(player).x);
            }
            const shown = places.join(', ');
            expect(places.some(x => x < -OUTER), `some x should be far on the left, but they were ${shown}`);
            expect(places.some(x => x > OUTER), `some x should be far on the right, but they were ${shown}`);
            expect(places.some(x => Math.abs(x) <= OUTER), `some x should be in the middle, but they were ${shown}`);
            expectScore(player, 0, 0, 'after the flags');
        }
    },
    {
        name: 'the Basket follows the mouse pointer at y -140, whatever its y',
        run: async player => {
            await player.flag();
            const basket = player.sprite('Basket');
            for (const [x, y] of [[150, 100], [-90, -30], [20, 170]]) {
                player.mouse.moveTo(x, y);
                await player.ticks.pass(2);
                expectEqual(basket.x, x, `the Basket's x with the pointer at x ${x}`);
                expectEqual(basket.y, BASKET_Y, `the Basket's y with the pointer at y ${y}`);
            }
        }
    },
    {
        name: 'the Apple falls straight down, 10 steps a frame',
        run: async player => {
            await player.flag();
            const {samples} = await player.motion.during(apple(player), 20);
            for (let i = 1; i < samples.length; i += 1) {
                expectEqual(samples[i - 1].y - samples[i].y, FALL, 'the steps down in one frame');
                expectEqual(samples[i].x, samples[0].x, 'its x while it falls');
            }
        }
    },
    {
        name: 'an Apple in the Basket is caught, thumps, and the next one falls from another place',
        run: async player => {
            await player.flag();
            const places = new Set();
            for (let i = 1; i <= 5; i += 1) {
                const lowest = await fall(player, true);
                expect(lowest > GROUND && lowest < -60, `the Apple should be caught by the Basket, not at y ${lowest}`);
                expectScore(player, i, 0, `after ${i} falls into the Basket`);
                expectAtTop(player);
                places.add(apple(player).x);
            }
            expect(places.size > 2, `the Apple should start at random places, but x was ${[...places].join(', ')}`);
        }
    },
    {
        name: 'an Apple beside the Basket is missed, and the game goes on',
        run: async player => {
            const places = new Set();
            for (let game = 1; game <= 2; game += 1) {
                await player.flag();
                for (const missed of [1, 2]) {
                    const lowest = await fall(player, false);
                    expect(lowest <= GROUND + FALL, `the Apple should be missed at the ground, not at y ${lowest}`);
                    expectScore(player, 0, missed, `after ${missed} falls beside the Basket`);
                    expectAtTop(player);
                    places.add(apple(player).x);
                }
            }
            expect(places.size > 1, 'the Apple should start at random places after a miss, too');
            await fall(player, true);
            expectScore(player, 1, 2, 'after two misses and a catch');
        }
    },
    {
        name: 'the third miss stops everything, and a green flag starts a new game',
        run: async player => {
            await player.flag();
            await fall(player, true);
            for (let i = 0; i < 3; i += 1) await fall(player, false);
            expectScore(player, 1, 3, 'after a catch and three misses');
            const basket = player.sprite('Basket');
            const [{x, y}, still] = [apple(player), basket.x];
            player.mouse.moveTo(still > 0 ? -100 : 100, 0);
            const stopped = () => apple(player).x === x && apple(player).y === y && basket.x === still;
            await player.ticks.always('nothing moves after the third miss', stopped, 20);
            await player.flag();
            expectScore(player, 0, 0, 'after the second flag', 1);
            expectAtTop(player);
            await fall(player, true);
            expectScore(player, 1, 0, 'after the second flag and a catch', 1);
        }
    }
]);
