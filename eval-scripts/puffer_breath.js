// @ts-check
// Judge of create/puffer_breath: sizes frame by frame, breaths counted, and what a click makes it say.

const {expect, expectEqual, expectTexts} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const [SMALL, LARGE, STEP] = [100, 150, 5];
/** Ticks of a whole breath. */
const BREATH = 20;
const BREATH_MS = 2000;
/** Ticks for which nothing more may be said. */
const WHILE = 66;

/** @param {number} size which adds up rounding errors @returns {number} */
const rounded = size => Math.round(size * 1e6) / 1e6;

/** @param {Player} player */
const puffer = player => player.sprite('Puffer');

/**
 * Waits until so many breaths were counted.
 * @param {Player} player
 * @param {number} n
 */
const breathe = (player, n) =>
    player.ticks.until(`breaths was ${n}`, () => Number(player.variable('breaths')) === n, BREATH_MS * Math.max(1, n));

/**
 * Clicks it and expects what it says.
 * @param {Player} player
 * @param {string} text
 * @param {string} when
 */
const ask = async (player, text, when) => {
    const before = player.speech.of('Puffer').length;
    await player.click('Puffer');
    expectTexts(player.speech.of('Puffer').slice(before), [text], `what it says ${when}`);
};

/**
 * Watches three breaths frame by frame.
 * @param {Player} player
 */
const watchBreaths = async player => {
    const track = await player.motion.during(puffer(player), 3 * BREATH);
    track.expectSeen('while it breathes');
    const sizes = track.samples.map(sample => rounded(sample.size));
    for (let i = 1; i < sizes.length; i += 1) {
        const inside = sizes[i] >= SMALL && sizes[i] <= LARGE;
        expect(inside, `its size should be from 100% to 150%, but was ${sizes[i]}%`);
        expectEqual(Math.abs(sizes[i] - sizes[i - 1]), STEP, 'the change of its size in one frame');
        if (i === 1 || sizes[i - 1] === SMALL || sizes[i - 1] === LARGE) continue;
        const onwards = sizes[i] > sizes[i - 1] === sizes[i - 1] > sizes[i - 2];
        expect(onwards, `it should turn only at 100% and 150%, not at ${sizes[i - 1]}%`);
    }
    expect(sizes.includes(SMALL) && sizes.includes(LARGE), 'it should get as small as 100% and as large as 150%');
};

module.exports = suite([
    {
        name: 'the flag sets its size to 100% and breaths to 0',
        run: async player => {
            await player.flag();
            const size = rounded(puffer(player).size);
            expect(size >= SMALL && size <= SMALL + 5 * STEP, `the Puffer should start from 100%, but has ${size}%`);
            expectSeen(puffer(player), 'after the flag');
            expectEqual(player.variable('breaths'), 0, 'breaths');
        }
    },
    {
        name: 'it grows and shrinks by 5 in each frame, between 100% and 150%',
        run: async player => {
            await player.flag();
            await watchBreaths(player);
        }
    },
    {
        name: 'breaths grows by 1 each time that it is back at 100%',
        run: async player => {
            await player.flag();
            /** @type {number[]} */
            const ends = [];
            for (let i = 1; i <= 11; i += 1) {
                await breathe(player, i);
                ends.push(player.ticks.count);
                const size = rounded(puffer(player).size);
                expect(size <= SMALL + STEP, `breaths should grow at 100%, not at ${size}%`);
            }
            for (let i = 1; i < ends.length; i += 1) {
                expectEqual(ends[i] - ends[i - 1], BREATH, 'the frames from one breath to the next');
            }
        }
    },
    {
        name: 'a click makes it say the number of breaths, and it says nothing else',
        run: async player => {
            await player.flag();
            await ask(player, 'Breath 0', 'before the first breath');
            await breathe(player, 1);
            expectTexts(player.speech.of('Puffer'), ['Breath 0'], 'what it says without another click');
            await ask(player, 'Breath 1', 'after one breath');
            await breathe(player, 3);
            await ask(player, 'Breath 3', 'after three breaths');
            await ask(player, 'Breath 3', 'after another click');
            await player.ticks.rest(WHILE, WHILE);
            const texts = ['Breath 0', 'Breath 1', 'Breath 3', 'Breath 3'];
            expectTexts(player.speech.of('Puffer'), texts, 'what it has said in all');
        }
    },
    {
        name: 'a second green flag starts again from 100%',
        run: async player => {
            await player.flag();
            await breathe(player, 2);
            await player.ticks.until('it was large', () => puffer(player).size >= LARGE - STEP, BREATH_MS);
            await player.flag();
            const size = rounded(puffer(player).size);
            expect(size <= SMALL + 5 * STEP, `the Puffer should start from 100% after the second flag, but has ${size}%`);
            expectSeen(puffer(player), 'after the second flag');
            expectEqual(player.variable('breaths'), 0, 'breaths after the second flag');
            await breathe(player, 1);
            await ask(player, 'Breath 1', 'after the second flag and a breath');
            await watchBreaths(player);
        }
    }
]);
