// @ts-check
// Judge of create/apple_basket: the Basket follows the mouse, apples fall, are caught or missed, and the third miss ends it.

const {expectUniform} = require('./lib/chance.js');
const {expect, expectEqual, expectTexts} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const [TOP, GROUND, FALL, BASKET_Y, MAX_X] = [160, -165, 10, -140, 200];
/** Above this y an Apple is neither caught nor missed, so it must be seen, and so must the Basket. */
const UNDECIDED = -60;
/** A whole fall takes 33 ticks. */
const FALL_MS = 2500;
/** Flags in quick succession, and the ticks that follow each. */
const [FLAGS, QUICK] = [110, 2];
/** Ticks at one place after which the Apple has come to rest: some programs let the thump end first. */
const STILL = 15;
/** Ticks for which nothing may move when the game is over. */
const [OVER, OVER_SHORT] = [66, 30];
/** Scratch units that adding up fractions may cost. */
const EXACT = 1e-6;

/** @param {Player} player */
const apple = player => player.sprite('Apple');

/** @param {number} a @param {number} b */
const near = (a, b) => Math.abs(a - b) < EXACT;

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
    expectTexts(player.sounds.of('Apple'), Array(before + caught).fill('thump'), `the sounds ${when}`);
};

/**
 * Expects that the Apple and the Basket were seen for as long as an Apple could not have been caught.
 * @param {import('./lib/motion.js').Track[]} tracks of both, of the same ticks
 */
const expectFallSeen = tracks => {
    const inAir = tracks[0].samples.map(({y}) => y > UNDECIDED);
    for (const {name, samples} of tracks) {
        const gone = samples.find(({unseen}, i) => inAir[i] && unseen !== null);
        expect(!gone, `the ${name} ${gone?.unseen}, while an Apple falls`);
    }
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
    const tracks = [apple(player), player.sprite('Basket')].map(target => player.motion.watch(target));
    const end = player.ticks.observe(() => {
        const {y} = apple(player);
        rested = y === lowest ? rested + 1 : 0;
        lowest = Math.min(lowest, y);
    });
    const over = () => apple(player).y > lowest || rested > STILL;
    await player.ticks.until('the Apple was caught or missed', over, FALL_MS);
    end();
    for (const track of tracks) track.stop();
    expectFallSeen(tracks);
    return lowest;
};

/** @param {Player} player */
const expectAtTop = player => {
    const {x, y} = apple(player);
    // It may have begun to fall.
    const atTop = [0, 1, 2, 3, 4].some(frames => near(y, TOP - frames * FALL));
    expect(atTop, `the Apple should be at the top, y 160, not at y ${y}`);
    const inRange = near(x, Math.round(x)) && Math.abs(x) <= MAX_X + EXACT;
    expectSeen(apple(player), 'at the top');
    expect(inRange, `the Apple's x should be a whole number from -200 to 200, not ${x}`);
};

/**
 * Lets Apples fall beside the Basket.
 * @param {Player} player
 * @param {number} caught in this game
 * @param {number[]} counts what missed should be after each
 * @param {number} [before] caught in earlier games
 * @returns {Promise<number>} how many of the next Apples had another x
 */
const miss = async (player, caught, counts, before = 0) => {
    let moved = 0;
    for (const missed of counts) {
        const {x} = apple(player);
        const lowest = await fall(player, false);
        expect(lowest <= GROUND + FALL && lowest >= GROUND - 2 * FALL, `the Apple should be missed below y -165, not at y ${lowest}`);
        expectScore(player, caught, missed, `after miss ${missed}`, before);
        if (missed === 3) continue;
        expectAtTop(player);
        moved += Number(!near(apple(player).x, x));
    }
    return moved;
};

/**
 * Expects that nothing moves any more, wherever the pointer goes.
 * @param {Player} player
 * @param {number} n ticks
 */
const expectOver = async (player, n) => {
    const basket = player.sprite('Basket');
    const [{x, y}, still] = [apple(player), basket.x];
    player.mouse.moveTo(still > 0 ? -100 : 100, 0);
    const stopped = () => apple(player).x === x && apple(player).y === y && basket.x === still;
    await player.ticks.always('nothing moves after the third miss', stopped, n);
};

module.exports = suite([
    {
        name: 'over many flags, the Apple starts at the top all over its range',
        run: async player => {
            /** @type {number[]} */
            const places = [];
            for (let i = 0; i < FLAGS; i += 1) {
                player.vm.greenFlag();
                await player.ticks.pass(QUICK);
                expectAtTop(player);
                places.push(apple(player).x);
            }
            expectUniform(places, -MAX_X, MAX_X, "the Apple's x");
            expectScore(player, 0, 0, 'after the flags');
        }
    },
    {
        name: 'the Basket follows the mouse pointer at y -140, whatever its y',
        run: async player => {
            await player.flag();
            const basket = player.sprite('Basket');
            for (const [x, y] of [[150, 100], [-90, -30], [20, 170], [-200, -170], [20, 0]]) {
                player.mouse.moveTo(x, y);
                await player.ticks.pass(2);
                expectSeen(basket, 'below the pointer');
                expect(near(basket.x, x), `the Basket's x should be ${x}, where the pointer is, but is ${basket.x}`);
                expect(near(basket.y, BASKET_Y), `the Basket's y should be -140 with the pointer at y ${y}, but is ${basket.y}`);
            }
        }
    },
    {
        name: 'the Apple falls straight down, 10 steps a frame',
        run: async player => {
            for (let game = 0; game < 2; game += 1) {
                await player.flag();
                const {samples} = await player.motion.during(apple(player), 20);
                for (let i = 1; i < samples.length; i += 1) {
                    const way = samples[i - 1].y - samples[i].y;
                    expect(near(way, FALL), `the Apple should fall 10 steps in one frame, not ${way}`);
                    expect(near(samples[i].x, samples[0].x), `its x should stay ${samples[0].x} while it falls, but is ${samples[i].x}`);
                }
            }
        }
    },
    {
        name: 'an Apple in the Basket is caught, thumps, and the next one falls from another place',
        run: async player => {
            await player.flag();
            let moved = 0;
            for (let i = 1; i <= 7; i += 1) {
                const {x} = apple(player);
                const lowest = await fall(player, true);
                expect(lowest > GROUND && lowest < UNDECIDED, `the Apple should be caught by the Basket, not at y ${lowest}`);
                expectScore(player, i, 0, `after ${i} falls into the Basket`);
                expectAtTop(player);
                moved += Number(!near(apple(player).x, x));
            }
            // Chance keeps the same x five times in seven about once in 10^11 games.
            expect(moved > 2, 'after a catch, the Apple should start at another random x');
        }
    },
    {
        name: 'an Apple beside the Basket is missed, and the game goes on',
        run: async player => {
            await player.flag();
            let moved = await miss(player, 0, [1, 2]);
            await player.flag();
            expectScore(player, 0, 0, 'after a flag in the middle of a game');
            moved += await miss(player, 0, [1, 2]);
            expect(moved > 0, 'after a miss, too, the Apple should start at another random x');
            await fall(player, true);
            expectScore(player, 1, 2, 'after two misses and a catch');
        }
    },
    {
        name: 'the third miss stops everything for good',
        run: async player => {
            await player.flag();
            await fall(player, true);
            await miss(player, 1, [1, 2, 3]);
            await expectOver(player, OVER);
            expectScore(player, 1, 3, 'two seconds after the third miss');
        }
    },
    {
        name: 'a game that was broken off counts nothing for the next one, which ends with its own third miss',
        run: async player => {
            await player.flag();
            await miss(player, 0, [1, 2]);
            await player.flag();
            await miss(player, 0, [1, 2, 3]);
            await expectOver(player, OVER_SHORT);
        }
    },
    {
        name: 'a green flag after the third miss starts a new game',
        run: async player => {
            await player.flag();
            await miss(player, 0, [1, 2, 3]);
            await player.flag();
            expectScore(player, 0, 0, 'after the second flag');
            expectAtTop(player);
            await fall(player, true);
            expectScore(player, 1, 0, 'after the second flag and a catch');
            await miss(player, 1, [1]);
            await fall(player, true);
            expectScore(player, 2, 1, 'after two catches and a miss');
        }
    }
]);
