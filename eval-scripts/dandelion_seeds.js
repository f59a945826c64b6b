// @ts-check
// Judge of create/dandelion_seeds: how clones come, rise, are counted and go.

const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {import('./types').Target} Target
 */

const [PER_PRESS, BOTTOM, TOP, RISE, MAX_X] = [5, -100, 150, 6, 150];
/** Presses that give 55 draws: that all miss the outer quarter on one side happens once in two million times. */
const [PRESSES, OUTER] = [11, 80];
/** The way up takes 42 ticks, 1.4 seconds. */
const FLIGHT_MS = 2000;
/** A quarter of a second, and two ticks. */
const PRESS_MS = 320;

/** @param {Player} player */
const seeds = player => player.clones.of('Seed');

/**
 * Expects that so many clones fly, and that they are counted.
 * @param {Player} player
 * @param {number} count
 * @param {string} when
 */
const expectFlying = (player, count, when) => {
    expectEqual(seeds(player).length, count, `the number of clones ${when}`);
    expectEqual(player.variable('flying'), count, `flying ${when}`);
};

/**
 * Presses the space key and waits for the clones.
 * @param {Player} player
 */
const press = async player => {
    const before = player.clones.made('Seed');
    await player.tap('space');
    const came = () => player.clones.made('Seed') >= before + PER_PRESS;
    await player.ticks.until('five clones came after the space key', came, PRESS_MS);
    // The keys are heard again when the last one is on its way.
    await player.ticks.pass(2);
};

/** @param {Player} player */
const allGone = async player => {
    await player.ticks.until('all clones were gone', () => seeds(player).length === 0, FLIGHT_MS);
    await player.ticks.pass(2);
    expectFlying(player, 0, 'in the end');
};

module.exports = suite([
    {
        name: 'the flag hides the Seed, and nothing flies',
        run: async player => {
            await player.flag();
            expect(!player.sprite('Seed').visible, 'the Seed should be hidden');
            expectFlying(player, 0, 'after the flag');
        }
    },
    {
        name: 'each press sends out five visible clones, and the Seed stays hidden',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 3; i += 1) {
                await press(player);
                expectFlying(player, i * PER_PRESS, `after ${i} presses`);
                expect(seeds(player).every(seed => seed.visible), 'all clones should be visible');
                expect(!player.sprite('Seed').visible, 'the Seed itself should stay hidden');
            }
            await player.ticks.pass(10);
            expectFlying(player, 3 * PER_PRESS, 'ten ticks later');
        }
    },
    {
        name: 'clones start at the bottom, at random places',
        run: async player => {
            await player.flag();
            /** @type {Set<Target>} */
            const seen = new Set();
            /** @type {{x: number, y: number}[]} */
            const places = [];
            player.ticks.observe(() => {
                for (const seed of seeds(player)) {
                    if (seen.has(seed)) continue;
                    seen.add(seed);
                    places.push({x: seed.x, y: seed.y});
                }
            });
            for (let i = 0; i < PRESSES; i += 1) await press(player);
            expectEqual(places.length, PRESSES * PER_PRESS, 'the number of clones');
            const shown = places.map(({x}) => x).join(', ');
            for (const {x, y} of places) {
                const first = y >= BOTTOM && y <= BOTTOM + RISE * 2;
                expect(first, `a clone should start at y -100, but is at y ${y} at first`);
                expect(Number.isInteger(x), `x should be a whole number, not ${x}`);
                expect(Math.abs(x) <= MAX_X, `x should be from -150 to 150, not ${x}`);
            }
            expect(places.some(({x}) => x < -OUTER), `some clones should start on the left, but x was ${shown}`);
            expect(places.some(({x}) => x > OUTER), `some clones should start on the right, but x was ${shown}`);
            expect(places.some(({x}) => Math.abs(x) <= OUTER), `some clones should start in the middle, but x was ${shown}`);
        }
    },
    {
        name: 'each rises straight up, 6 steps a frame, and is gone above y 150',
        run: async player => {
            await player.flag();
            await press(player);
            const tracks = seeds(player).map(seed => player.motion.watch(seed));
            expectEqual(tracks.length, PER_PRESS, 'the number of clones');
            await allGone(player);
            for (const {samples, last} of tracks) {
                for (let i = 1; i < samples.length; i += 1) {
                    expectEqual(samples[i].y - samples[i - 1].y, RISE, 'the steps up in one frame');
                    expectEqual(samples[i].x, samples[0].x, 'x of a clone on its way');
                }
                const gone = last.y > TOP - RISE && last.y <= TOP + 2 * RISE;
                expect(gone, `a clone should be deleted as soon as it is above y 150, but was last seen at y ${last.y}`);
            }
        }
    },
    {
        name: 'flying falls when clones go, and two bunches are counted together',
        run: async player => {
            await player.flag();
            await press(player);
            await player.ticks.pass(15);
            await press(player);
            expectFlying(player, 2 * PER_PRESS, 'with two bunches under way');
            await player.ticks.until('the first bunch was gone', () => seeds(player).length <= PER_PRESS, FLIGHT_MS);
            await player.ticks.pass(2);
            expectFlying(player, PER_PRESS, 'after the first bunch');
            await allGone(player);
            expect(!player.sprite('Seed').visible, 'the Seed itself should stay hidden');
        }
    },
    {
        name: 'a second green flag in the middle of a flight starts afresh',
        run: async player => {
            await player.flag();
            await press(player);
            await press(player);
            await player.flag();
            expectFlying(player, 0, 'after the second flag');
            await press(player);
            expectFlying(player, PER_PRESS, 'after the second flag and a press');
            await allGone(player);
        }
    }
]);
