// @ts-check
// Judge of create/dandelion_seeds: how clones come, rise, are counted and go.

const {expectUniform} = require('./lib/chance.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {import('./types').Target} Target
 */

const [PER_PRESS, BOTTOM, TOP, RISE, MAX_X] = [5, -100, 150, 6, 150];
/** Presses in quick succession. */
const PRESSES = 28;
/** The way up takes 42 ticks, 1.4 seconds. */
const FLIGHT_MS = 2500;
/** A quarter of a second is 7.5 ticks; each of four short waits may end half a tick late. */
const BUNCH_TICKS = 10;
/** Ticks for which flying may differ from the number of clones: they are made and counted by several scripts. */
const LAG = 3;
/** Scratch units that adding up fractions may cost. */
const EXACT = 1e-6;

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
 * Presses the space key, waits for the clones and lets the key go.
 * @param {Player} player
 */
const press = async player => {
    const [before, start] = [player.clones.made('Seed'), player.ticks.count];
    player.keys.press('space');
    await player.ticks.pass(2);
    player.keys.release('space');
    const came = () => player.clones.made('Seed') >= before + PER_PRESS;
    await player.ticks.until('five clones came after the space key', came, 1000);
    const took = player.ticks.count - start;
    expect(took <= BUNCH_TICKS, `five clones should come within a quarter of a second, but it took ${took} ticks`);
    // The keys are heard again when the last one is on its way.
    await player.ticks.pass(3);
};

/**
 * Compares flying with the clones from now on.
 * @param {Player} player
 * @returns {() => void} ends it, and fails the case if they differed for longer than a moment
 */
const watchCount = player => {
    let [wrong, longest] = [0, 0];
    // Without the variable, the case fails here.
    expectEqual(player.variable('flying'), seeds(player).length, 'flying');
    const end = player.ticks.observe(() => {
        wrong = Number(player.variable('flying')) === seeds(player).length ? 0 : wrong + 1;
        longest = Math.max(longest, wrong);
    });
    return () => {
        end();
        expect(longest <= LAG, `flying should always be the number of clones, but was not for ${longest} ticks`);
    };
};

/** @param {Player} player */
const allGone = async player => {
    await player.ticks.until('all clones were gone', () => seeds(player).length === 0, FLIGHT_MS);
    await player.ticks.pass(2);
    expectFlying(player, 0, 'in the end');
};

module.exports = suite([
    {
        name: 'the flag sets flying to 0, and a press is needed for the first clones',
        run: async player => {
            await player.flag();
            expect(!player.sprite('Seed').visible, 'the Seed should be hidden');
            await player.ticks.pass(30);
            expectFlying(player, 0, 'before a press');
            await press(player);
            expectFlying(player, PER_PRESS, 'after a press');
        }
    },
    {
        name: 'each press sends out five visible clones, and the Seed stays hidden',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 2; i += 1) {
                await press(player);
                expectFlying(player, i * PER_PRESS, `after ${i} presses`);
                expect(seeds(player).every(isSeen), 'all clones should be visible');
                expect(!player.sprite('Seed').visible, 'the Seed itself should stay hidden');
            }
            await player.ticks.pass(5);
            expectFlying(player, 2 * PER_PRESS, 'five ticks later');
        }
    },
    {
        name: 'clones start at the bottom, at random places all over the range',
        run: async player => {
            await player.flag();
            /** @type {Map<Target, number>} by clone, the press that it came from */
            const seen = new Map();
            /** @type {{x: number, y: number, press: number}[]} */
            const places = [];
            let presses = 0;
            player.ticks.observe(() => {
                for (const seed of seeds(player)) {
                    if (!seen.has(seed)) seen.set(seed, presses);
                    else if (seen.get(seed) === -1) continue;
                    if (!isSeen(seed)) continue;
                    places.push({x: seed.x, y: seed.y, press: Number(seen.get(seed))});
                    seen.set(seed, -1);
                }
            });
            for (; presses < PRESSES; presses += 1) await press(player);
            expectEqual(places.length, PRESSES * PER_PRESS, 'the number of clones');
            for (const {y} of places) {
                // It may have risen once or twice already when it is seen for the first time.
                const first = [0, 1, 2].some(rises => Math.abs(y - BOTTOM - rises * RISE) < EXACT);
                expect(first, `a clone should start at y -100, but is at y ${y} at first`);
            }
            expectUniform(places.map(({x}) => x), -MAX_X, MAX_X, 'the x of a clone');
            // Of five numbers, two or more pairs are alike once in 4,000 presses.
            const own = Array.from({length: PRESSES}, (_, nth) => new Set(places.filter(place => place.press === nth).map(({x}) => Math.round(x))));
            const alike = own.filter(({size}) => size < PER_PRESS - 1).length;
            expect(alike < PRESSES / 4, `each clone should have a random x of its own, but in ${alike} of ${PRESSES} presses some shared one`);
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
                    const way = samples[i].y - samples[i - 1].y;
                    expect(Math.abs(way - RISE) < EXACT, `a clone should rise 6 steps in one frame, not ${way}`);
                    expect(Math.abs(samples[i].x - samples[0].x) < EXACT, 'a clone should rise straight up');
                }
                // Above the top a clone may hide before it goes.
                const hidden = samples.find(({y, unseen}) => y <= TOP && unseen !== null);
                expect(!hidden, `a clone should be seen while it rises, but it ${hidden?.unseen}`);
                const gone = last.y > TOP - RISE && last.y <= TOP + 2 * RISE;
                expect(gone, `a clone should be deleted as soon as it is above y 150, but was last seen at y ${last.y}`);
            }
        }
    },
    {
        name: 'flying is always the number of clones, and two bunches are counted together',
        run: async player => {
            await player.flag();
            const counted = watchCount(player);
            await press(player);
            await player.ticks.pass(15);
            await press(player);
            expectFlying(player, 2 * PER_PRESS, 'with two bunches under way');
            await player.ticks.until('the first bunch was gone', () => seeds(player).length <= PER_PRESS, FLIGHT_MS);
            await player.ticks.pass(2);
            expectFlying(player, PER_PRESS, 'after the first bunch');
            await allGone(player);
            await player.ticks.rest();
            expectFlying(player, 0, 'two seconds later');
            counted();
            expect(!player.sprite('Seed').visible, 'the Seed itself should stay hidden');
        }
    },
    {
        name: 'a second green flag in the middle of a flight starts again with no clones',
        run: async player => {
            await player.flag();
            await press(player);
            await press(player);
            await player.flag();
            expectFlying(player, 0, 'after the second flag');
            const counted = watchCount(player);
            await press(player);
            expectFlying(player, PER_PRESS, 'after the second flag and a press');
            await allGone(player);
            counted();
        }
    }
]);
