// @ts-check
// Judge of create/comet_orbit: to and fro in a second each, in front on the way there, behind on the way back.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {isInFront} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const END = 200;
/** Ticks of one way, and by how many it may differ: starting and ending a glide may take one each. */
const [WAY, SLACK] = [30, 2];
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
 * Watches one way from end to end: layer, line and time.
 * @param {Player} player
 * @param {number} to x of its end
 * @param {boolean} inFront
 */
const watchWay = async (player, to, inFront) => {
    const [comet, planet] = [player.sprite('Comet'), player.sprite('Planet')];
    const started = player.ticks.count;
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
    expect(track.samples.every(sample => sample.visible), 'the Comet should be shown on the whole way');
};

module.exports = suite([
    {
        name: 'the flag puts the Comet at its start, and it leaves for the right',
        run: async player => {
            const comet = player.sprite('Comet');
            await player.flag();
            const {x} = comet;
            expect(x >= -END && x < -END + 60, `the Comet should start from x -200, but is at x ${x} after three ticks`);
            expectEqual(comet.y, 0, 'its y');
            await player.ticks.until('the Comet moved to the right', () => comet.x > x, 300);
        }
    },
    {
        name: 'it passes in front of the Planet on its way to the right',
        run: async player => {
            await player.flag();
            const comet = player.sprite('Comet');
            const between = () => Math.abs(comet.x) < 100;
            await player.ticks.until('the Comet came to the Planet', between, ARRIVAL_MS);
            await player.ticks.always(
                'the Comet passes in front of the Planet',
                () => isInFront(comet, player.sprite('Planet')),
                10
            );
            await arrive(player, END);
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
            await arrive(player, -END);
            await watchWay(player, END, true);
            await watchWay(player, -END, false);
            await watchWay(player, END, true);
            expectAt(player.sprite('Planet'), 0, 0, 'all the time');
        }
    },
    {
        name: 'a second green flag starts anew, in front again',
        run: async player => {
            const comet = player.sprite('Comet');
            await player.flag();
            await arrive(player, END);
            await player.ticks.until('the Comet was on its way back', () => comet.x < 60, ARRIVAL_MS);
            await player.flag();
            expect(comet.x < -END + 60, `the Comet should be near x -200 after the second flag, but is at x ${comet.x}`);
            await player.ticks.until('the Comet came to the Planet', () => comet.x > -60, ARRIVAL_MS);
            expect(isInFront(comet, player.sprite('Planet')), 'the Comet should be in front after the second flag');
            await arrive(player, END);
            await watchWay(player, -END, false);
        }
    }
]);
