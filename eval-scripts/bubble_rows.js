// @ts-check
// Judge of extend/bubble_rows: the Shell bursts Bubbles, each scores and knocks it down, and rows come again.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {UNDER, awaitBounce, scoreCase} = require('./lib/base_otter_shell.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const PLACES = [-200, -120, -40, 40, 120, 200];
const HEIGHT = 140;
/** What a Bubble is worth. */
const WORTH = 2;

/**
 * @param {Player} player
 * @returns {import('./types').Target[]} the Bubbles from left to right
 */
const bubbles = player => player.clones.of('Bubble').sort((a, b) => a.x - b.x);

/**
 * Checks that these Bubbles are there and no others.
 * @param {Player} player
 * @param {number[]} places
 * @param {string} when
 */
const expectRow = (player, places, when) => {
    const row = bubbles(player);
    expectEqual(row.map(({x}) => Math.round(x)).join(' '), places.join(' '), `the places of the Bubbles ${when}`);
    for (const [i, bubble] of row.entries()) {
        expectAt(bubble, places[i], HEIGHT, when);
        expect(bubble.visible, `each Bubble should be visible ${when}`);
    }
    expect(!player.sprite('Bubble').visible, 'the Bubble that the others are made of should be hidden');
};

/**
 * Clicks the green flag and waits for the row.
 * @param {Player} player
 */
const start = async player => {
    await player.flag();
    await player.ticks.until('there were six Bubbles', () => player.clones.count('Bubble') >= PLACES.length, 1000);
    await player.ticks.pass(2);
};

/**
 * Checks the score; what bounces and the Starfish gave is known by their sounds.
 * @param {Player} player
 * @param {number} burst the number of Bubbles that have burst
 */
const expectScore = (player, burst) => {
    const bounces = player.sounds.of('Shell').filter(sound => sound === 'tock').length;
    const hits = player.sounds.of('Starfish').length;
    expectEqual(player.variable('score'), bounces + 5 * hits + WORTH * burst, `score after ${burst} Bubbles, ${bounces} bounces and ${hits} hits`);
};

/**
 * Puts the Shell where a Bubble is, by hand.
 * @param {Player} player
 * @param {number} x
 */
const burst = async (player, x) => {
    const before = player.clones.count('Bubble');
    await player.drag('Shell', {x, y: HEIGHT}, {steps: 1});
    await player.ticks.until(`the Bubble at x ${x} burst`, () => player.clones.count('Bubble') < before, 300);
    await player.ticks.pass(3);
    expect(player.sprite('Shell').y < HEIGHT - 20, 'the Shell should go down after it has burst a Bubble');
};

module.exports = suite([
    {
        name: 'the green flag puts six Bubbles in a row',
        run: async player => {
            await start(player);
            expectRow(player, PLACES, 'after the flag');
            expectEqual(player.variable('rows'), 0, 'rows after the flag');
            await start(player);
            expectRow(player, PLACES, 'after the second flag');
        }
    },
    {
        name: 'a Bubble that the Shell touches bursts with a pop and scores 2',
        run: async player => {
            await start(player);
            for (const [i, x] of [PLACES[1], PLACES[3]].entries()) {
                await burst(player, x);
                expectScore(player, i + 1);
                expectEqual(player.sounds.of('Bubble').join(' '), Array(i + 1).fill('pop').join(' '), 'the sounds of the Bubbles');
            }
            expectRow(player, [PLACES[0], PLACES[2], PLACES[4], PLACES[5]], 'after two Bubbles burst');
        }
    },
    {
        name: 'a Bubble knocks the Shell down',
        run: async player => {
            await start(player);
            player.mouse.moveTo(UNDER, 0);
            await awaitBounce(player);
            const track = player.motion.watch(player.sprite('Shell'));
            await player.ticks.until('the Shell burst a Bubble from below', () => player.clones.count('Bubble') < PLACES.length, 1500);
            await player.ticks.pass(8);
            const top = Math.max(...track.samples.map(({y}) => y));
            expect(top < HEIGHT, `the Shell should turn at the Bubble, but went up to ${top}`);
            expect(track.last.y < top - 30, 'the Shell should come down from the Bubble');
            const [a, b] = track.samples.slice(-2);
            expectEqual(b.y - a.y, -8, 'its way down in a step');
            expectScore(player, 1);
        }
    },
    {
        name: 'when all six have burst a new row comes after half a second',
        run: async player => {
            await start(player);
            for (const [i, x] of PLACES.entries()) {
                expectEqual(player.variable('rows'), 0, `rows after ${i} Bubbles`);
                await burst(player, x);
            }
            await player.ticks.always('there is no Bubble yet', () => player.clones.count('Bubble') === 0, 9);
            await player.ticks.until('a new row came', () => player.clones.count('Bubble') > 0, 300);
            await player.ticks.pass(10);
            expectRow(player, PLACES, 'in the second row');
            expectEqual(player.variable('rows'), 1, 'rows');
            expectScore(player, PLACES.length);
        }
    },
    {
        name: 'the second row bursts as the first, and the flag sets rows to 0',
        run: async player => {
            await start(player);
            for (const x of PLACES) await burst(player, x);
            await player.ticks.until('a new row came', () => player.clones.count('Bubble') === PLACES.length, 1000);
            await burst(player, PLACES[2]);
            expectEqual(player.clones.count('Bubble'), PLACES.length - 1, 'Bubbles of the second row after one burst');
            expectEqual(player.variable('rows'), 1, 'rows');
            await start(player);
            expectEqual(player.variable('rows'), 0, 'rows after a new flag');
            expectRow(player, PLACES, 'after a new flag');
        }
    },
    scoreCase
]);
