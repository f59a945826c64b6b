// @ts-check
// Judge of extend/bubble_rows: the Shell bursts Bubbles, each scores and knocks it down, and rows come again.

const {expectNear} = require('./lib/base_common.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {UNDER, awaitBounce, putShell, playThrough} = require('./lib/base_otter_shell.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const PLACES = [-200, -120, -40, 40, 120, 200];
const HEIGHT = 140;
/** Ticks that `burst` looks on after a Bubble has gone. */
const AFTER_BURST = 4;
/** Ticks of half a second. */
const HALF = 15;
/** What a Bubble is worth. */
const WORTH = 2;

/**
 * @param {Player} player
 * @returns {import('./types').Target[]} the Bubbles that can be seen, from left to right
 */
const bubbles = player => player.clones.seen('Bubble').sort((a, b) => a.x - b.x);

/**
 * Checks that these Bubbles are there and no others.
 * @param {Player} player
 * @param {number[]} places
 * @param {string} when
 */
const expectRow = (player, places, when) => {
    const row = bubbles(player);
    expectEqual(row.map(({x}) => Math.round(x)).join(' '), places.join(' '), `the places of the visible Bubbles ${when}`);
    for (const [i, bubble] of row.entries()) {
        expectAt(bubble, places[i], HEIGHT, when);
    }
    expect(!player.sprite('Bubble').visible, 'the Bubble that the others are made of should be hidden');
};

/**
 * Clicks the green flag and waits for the row.
 * @param {Player} player
 */
const start = async player => {
    await player.flag();
    await player.ticks.until('there were six Bubbles', () => bubbles(player).length >= PLACES.length, 1000);
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
    const before = bubbles(player).length;
    putShell(player, x, HEIGHT);
    await player.ticks.until(`the Bubble at x ${x} burst`, () => bubbles(player).length < before, 300);
    await player.ticks.pass(AFTER_BURST);
    expectEqual(player.variable('vy', 'Shell'), -8, `vy after the Bubble at x ${x} burst`);
    expectSeen(player.sprite('Shell'), `after the Bubble at x ${x} burst`);
    expect(player.sprite('Shell').y < HEIGHT - 20, 'the Shell should go down after it has burst a Bubble');
};

/**
 * Bursts all Bubbles of a row; rows must grow with the last of them.
 * @param {Player} player
 * @param {number} rows that have burst before
 */
const burstRow = async (player, rows) => {
    for (const [i, x] of PLACES.entries()) {
        expectEqual(player.variable('rows'), rows, `rows after ${i} Bubbles of a row`);
        await burst(player, x);
    }
    expectEqual(player.variable('rows'), rows + 1, 'rows as soon as all six have burst');
    expectEqual(bubbles(player).length, 0, 'Bubbles when all six have burst');
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
            await player.ticks.until('the Shell burst a Bubble from below', () => bubbles(player).length < PLACES.length, 1500);
            await player.ticks.pass(8);
            const top = Math.max(...track.samples.map(({y}) => y));
            expect(top < HEIGHT, `the Shell should turn at the Bubble, but went up to ${top}`);
            expect(track.last.y < top - 30, 'the Shell should come down from the Bubble');
            const [a, b] = track.samples.slice(-2);
            expectNear(b.y - a.y, -8, 'its way down in a step');
            expectScore(player, 1);
        }
    },
    {
        name: 'when the sixth has burst rows grows at once, and a new row comes after half a second',
        run: async player => {
            await start(player);
            const rows = player.data.watch('rows');
            await burstRow(player, 0);
            const burstAt = player.ticks.count;
            await player.ticks.until('a new row came', () => bubbles(player).length > 0, 600);
            const wait = player.ticks.count - burstAt + AFTER_BURST;
            expect(wait >= HALF - 2 && wait <= HALF + 3, `a new row should come after half a second, not after ${wait} ticks`);
            await player.ticks.pass(10);
            expectRow(player, PLACES, 'in the second row');
            expectEqual(rows.values.join(' '), '0 1', 'the values of rows');
            expectScore(player, PLACES.length);
        }
    },
    {
        name: 'the second row bursts as the first, a third one comes, and the flag sets rows to 0',
        run: async player => {
            await start(player);
            for (const row of [0, 1]) {
                await burstRow(player, row);
                await player.ticks.until('a new row came', () => bubbles(player).length === PLACES.length, 1000);
                await player.ticks.pass(2);
                expectRow(player, PLACES, `in row ${row + 2}`);
                expectScore(player, (row + 1) * PLACES.length);
            }
            await burst(player, PLACES[2]);
            expectEqual(bubbles(player).length, PLACES.length - 1, 'Bubbles of the third row after one burst');
            expectEqual(player.variable('rows'), 2, 'rows');
            await start(player);
            expectEqual(player.variable('rows'), 0, 'rows after a new flag');
            expectRow(player, PLACES, 'after a new flag');
        }
    },
    ...playThrough
]);
