// @ts-check
// Judge of create/comet_orbit: to and fro in a second each, in front on the way there, behind on the way back.

const {expect, expectAt} = require('./lib/expect.js');
const {isInFront} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const END = 200;
/** Ticks of one way, and by how many it may differ: starting and ending a glide may take one each. */
const [WAY, SLACK] = [30, 2];
/** Ticks that a click on the flag leaves the program before it returns; the first way has begun then. */
const REACTION = 3;
const ARRIVAL_MS = 1500;
/** Scratch units in a tick: the glide's 400 in 30 ticks, and something for a late first one. */
const LONGEST_STEP = 30;

/**
 * Waits until the Comet is at one end.
 * @param {Player} player
 * @param {number} x
 */
const arrive = async (player, x) => {
    await player.motion.reaches(player.sprite('Comet'), {x, y: 0}, ARRIVAL_MS);
    return player.ticks.count;
};

/**
 * Watches one way to its end: layer, line and time.
 * @param {Player} player
 * @param {number} to x of its end
 * @param {boolean} inFront
 * @param {number} [before] ticks for which it has been under way
 */
const watchWay = async (player, to, inFront, before = 0) => {
    const [comet, planet] = [player.sprite('Comet'), player.sprite('Planet')];
    const started = player.ticks.count - before;
    const track = player.motion.watch(comet);
    let wrong = 0;
    const end = player.ticks.observe(() => {
        // At the very ends it may be either.
        if (Math.abs(comet.x) <= END - 20 && isInFront(comet, planet) !== inFront) wrong += 1;
    });
    const took = (await arrive(player, to)) - started;
    end();
    track.stop();
    const side = inFront ? 'in front of' : 'behind';
    expect(wrong === 0, `the Comet should pass ${side} the Planet on its way to x ${to}`);
    expect(Math.abs(took - WAY) <= SLACK, `the way to x ${to} should take a second, not ${took} ticks`);
    expect(track.longestStep < LONGEST_STEP, 'the Comet should glide, not jump');
    expect(!track.leaves({top: 0, bottom: 0, left: -END, right: END}), 'the Comet should fly straight between the ends');
    track.expectSeen(`on the way to x ${to}`);
    expectAt(planet, 0, 0, 'all the time');
};

/**
 * Clicks the flag and expects that the Comet has just left its start.
 * @param {Player} player
 * @param {string} when
 */
const start = async (player, when) => {
    const comet = player.sprite('Comet');
    const track = player.motion.watch(comet);
    await player.flag();
    track.stop();
    const {x} = comet;
    expect(track.reaches({x: -END, y: 0}) !== null, `the Comet should start from x -200, y 0 ${when}, but was never there`);
    expect(x >= -END && x < -END + 60, `the Comet should start from x -200 ${when}, but is at x ${x} after three ticks`);
    await player.ticks.until(`the Comet moved to the right ${when}`, () => comet.x > x, 300);
};

module.exports = suite([
    {
        name: 'the flag puts the Comet at its start, and it leaves for the right',
        run: async player => start(player, 'after the flag')
    },
    {
        name: 'it passes in front of the Planet on its way to the right, in a second',
        run: async player => {
            await player.flag();
            await watchWay(player, END, true, REACTION);
        }
    },
    {
        name: 'it comes back behind the Planet, in a second, along a straight line',
        run: async player => {
            await player.flag();
            await arrive(player, END);
            await watchWay(player, -END, false);
        }
    },
    {
        name: 'it goes on to and fro, in front and behind in turn',
        run: async player => {
            await player.flag();
            await arrive(player, END);
            for (const inFront of [false, true, false, true, false, true]) {
                await watchWay(player, inFront ? END : -END, inFront);
            }
        }
    },
    ...[
        {name: 'behind the Planet', x: 60, ways: [END], back: true},
        {name: 'in front of the Planet', x: -60, ways: [], back: false}
    ].map(({name, x, ways, back}) => ({
        name: `a second green flag while the Comet is ${name} starts it at x -200 again, in front`,
        run: async (/** @type {Player} */ player) => {
            const comet = player.sprite('Comet');
            await player.flag();
            for (const end of ways) await arrive(player, end);
            const there = () => (back ? comet.x < x : comet.x > x);
            await player.ticks.until('the Comet was on its way', there, ARRIVAL_MS);
            const track = player.motion.watch(comet);
            await player.flag();
            track.stop();
            expect(track.reaches({x: -END, y: 0}) !== null, 'the Comet should be at x -200, y 0 after the second flag');
            await watchWay(player, END, true, REACTION);
            await watchWay(player, -END, false);
            await watchWay(player, END, true);
        }
    }))
]);
