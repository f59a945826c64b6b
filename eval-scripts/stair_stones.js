// @ts-check
// Judge of compute/stair_stones: the number said for several numbers of steps, and for runs in a row.

const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const QUESTION_MS = 2000;
const RESULT_MS = 4000;

/**
 * Plays one round and checks the one thing that is said.
 * @param {Player} player
 * @param {number} steps
 * @param {number} stones
 */
const round = async (player, steps, stones) => {
    const speech = player.speech;
    const before = speech.of('Mason').length;
    await player.flag();
    await player.ticks.until('a question was asked', () => speech.waiting, QUESTION_MS);
    expectEqual(speech.questions.at(-1), 'How many steps?', 'the question');
    expect(speech.of('Mason').length === before, 'Mason should say nothing before the answer');
    await player.answer(steps);
    await speech.next('Mason', RESULT_MS, before);
    // A wrong result may follow a right one; both count.
    await player.ticks.pass(10);
    const said = speech.of('Mason').slice(before);
    expect(said.length === 1, `Mason should say one thing, but said ${said.length}: ${said.join(', ')}`);
    expectEqual(said[0], stones, `the result for ${steps} steps`);
};

module.exports = suite([
    ...[
        [1, 1],
        [4, 10],
        [10, 55],
        [25, 325],
        [0, 0]
    ].map(([steps, stones]) => ({
        name: `${steps} steps need ${stones} stones`,
        run: (/** @type {Player} */ player) => round(player, steps, stones)
    })),
    {
        name: 'every run starts afresh',
        run: async player => {
            await round(player, 3, 6);
            await round(player, 5, 15);
            await round(player, 5, 15);
        }
    }
]);
