// @ts-check
// Judge of create/penguin_path: steps on the ice, falls into the water, and the way home.

const {expect, expectAt, expectEqual, expectTexts} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const START = {x: -190, y: -70};
const STEP = 20;
/** Steps from the start to the bend, and from there to the Nest at most. */
const [TO_BEND, TO_NEST] = [15, 9];
/** Ticks for which nothing more may come. */
const WHILE = 66;

/** @param {Player} player */
const penguin = player => player.sprite('Penguin');

/**
 * Expects that the Penguin is so many steps from its start and on its way.
 * @param {Player} player
 * @param {number} right
 * @param {number} up
 * @param {string} when
 */
const expectSteps = (player, right, up, when) => {
    expectAt(penguin(player), START.x + right * STEP, START.y + up * STEP, when);
    expectEqual(costumeOf(penguin(player)), 'walking', `its costume ${when}`);
};

/**
 * @param {Player} player
 * @param {number} count since the flag
 * @param {number} heard in all
 * @param {string} when
 */
const expectSplashes = (player, count, heard, when) => {
    expectEqual(player.variable('splashes'), count, `splashes ${when}`);
    expectTexts(player.sounds.of('Penguin'), Array(heard).fill('splash'), `the sounds ${when}`);
};

/** @param {Player} player */
const isHome = player => costumeOf(penguin(player)) === 'proud';

/**
 * @param {Player} player
 * @param {string} when
 */
const expectProud = (player, when) => {
    expect(isHome(player), `the Penguin should stay proud ${when}`);
    expectSeen(penguin(player), when);
};

/** @param {Player} player */
const said = player => player.speech.of('Penguin');

/**
 * Waits until a Penguin that fell into the water is back at its start; how long the splash takes is its own affair.
 * @param {Player} player
 */
const comesBack = async player => {
    await player.motion.reaches(penguin(player), START, Infinity);
    await player.ticks.pass(2);
    expectSteps(player, 0, 0, 'after it fell into the water');
};

/**
 * Climbs from the bend to the Nest.
 * @param {Player} player
 * @param {number} [watched] ticks for which nothing more may be said
 */
const climb = async (player, watched = WHILE) => {
    const before = said(player).length;
    for (let i = 1; i <= TO_NEST && !isHome(player); i += 1) {
        expectEqual(said(player).length, before, 'how often it spoke before it was home');
        await player.tap('up arrow');
        if (i <= TO_NEST - 3) expectSteps(player, TO_BEND, i, `${i} steps after the bend`);
    }
    expect(isHome(player), 'the Penguin should put on its costume proud when it touches the Nest');
    await player.ticks.rest(watched, watched);
    expectTexts(said(player).slice(before), ['Home'], 'what it says at the Nest');
    expectProud(player, 'at the Nest');
};

/**
 * Walks from the start along the ice to the Nest.
 * @param {Player} player
 */
const walkHome = async player => {
    await player.tap('right arrow', TO_BEND);
    expectSteps(player, TO_BEND, 0, 'at the bend');
    await climb(player);
};

/**
 * Is carried to the bend, and climbs from there.
 * @param {Player} player
 * @param {number} [watched] ticks for which nothing more may be said
 */
const beCarriedHome = async (player, watched) => {
    await player.drag('Penguin', {x: START.x + TO_BEND * STEP, y: START.y});
    expectSteps(player, TO_BEND, 0, 'at the bend');
    await climb(player, watched);
};

module.exports = suite([
    {
        name: 'the flag puts the Penguin at its start',
        run: async player => {
            await player.flag();
            expectSteps(player, 0, 0, 'after the flag');
            expectSplashes(player, 0, 0, 'after the flag');
            await player.ticks.pass(10);
            expectSteps(player, 0, 0, 'when no key is pressed');
        }
    },
    {
        name: 'each press of an arrow key moves it 20 steps that way',
        run: async player => {
            await player.flag();
            let [right, up] = [0, 0];
            for (const key of ['right', 'right', 'up', 'right', 'down', 'left', 'down', 'right', 'up']) {
                await player.tap(`${key} arrow`);
                right += Number(key === 'right') - Number(key === 'left');
                up += Number(key === 'up') - Number(key === 'down');
                expectSteps(player, right, up, `after a press of ${key}`);
            }
            expectEqual(penguin(player).direction, 90, 'its direction');
            expectSplashes(player, 0, 0, 'on the ice');
        }
    },
    {
        name: 'the water sends it back, and each fall counts and is heard once',
        run: async player => {
            await player.flag();
            for (const [i, [right, key]] of /** @type {const} */ ([[0, 'up'], [2, 'down'], [4, 'up']]).entries()) {
                await player.tap('right arrow', right);
                await player.tap(`${key} arrow`);
                expectSteps(player, right, key === 'up' ? 1 : -1, 'one step from the middle of the path');
                await player.tap(`${key} arrow`);
                await comesBack(player);
                expectSplashes(player, i + 1, i + 1, `after ${i + 1} falls`);
            }
            await player.ticks.rest(WHILE, WHILE);
            expectSplashes(player, 3, 3, 'some time after the falls');
            expectTexts(said(player), [], 'what it says on the way');
        }
    },
    {
        name: 'along the ice it gets home dry, and says so once',
        run: async player => {
            await player.flag();
            await walkHome(player);
            expectSplashes(player, 0, 0, 'on the dry way home');
            expect(penguin(player).y > 60, 'the Penguin should be home at the Nest, not before');
        }
    },
    {
        name: 'it gets home after a fall, too, and the fall stays counted',
        run: async player => {
            await player.flag();
            await player.tap('right arrow');
            await player.tap('down arrow', 2);
            await comesBack(player);
            await beCarriedHome(player);
            expectSplashes(player, 1, 1, 'after a fall and the way home');
        }
    },
    {
        name: 'at home the game is over: neither the water nor the Nest does anything more',
        run: async player => {
            await player.flag();
            await beCarriedHome(player, 10);
            await player.tap('right arrow', 3);
            await player.ticks.pass(15);
            expectSplashes(player, 0, 0, 'in the water, but after the game');
            await player.tap('left arrow', 3);
            await player.ticks.pass(15);
            expectTexts(said(player), ['Home'], 'what it says in the whole game');
            expectProud(player, 'after the game');
        }
    },
    {
        name: 'a second green flag starts a new game',
        run: async player => {
            await player.flag();
            await player.tap('up arrow', 2);
            await comesBack(player);
            expectSplashes(player, 1, 1, 'after a fall');
            await beCarriedHome(player, 10);
            await player.flag();
            expectSteps(player, 0, 0, 'after the second flag');
            expectSplashes(player, 0, 1, 'after the second flag');
            await player.tap('up arrow', 2);
            await comesBack(player);
            expectSplashes(player, 1, 2, 'after another fall');
        }
    },
    {
        name: 'the second game ends at the Nest, too',
        run: async player => {
            await player.flag();
            await beCarriedHome(player, 10);
            await player.flag();
            expectSteps(player, 0, 0, 'after the second flag');
            await beCarriedHome(player);
            expectTexts(said(player), ['Home', 'Home'], 'what it says in two games');
        }
    }
]);
