// @ts-check
// Programs that ask and then answer: a table of what is typed, and of what should be said for it, becomes cases.

const {expect, expectEqual, show} = require('./expect.js');

const QUESTION_MS = 2000;
const RESULT_MS = 4000;
/** Ticks that follow a result: a wrong one may come after a right one, and both count. */
const SETTLE = 10;

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {string | number} Value a text must be met letter by letter, a number as Scratch's `=` sees it
 * @typedef {{sprite: string, asks?: string[]}} Speaker who speaks, and the questions of a run in turn; where more is
 *     typed than there are questions, the last one is asked again and again
 * @typedef {object} Round one run of the program
 * @property {Value[]} [given] what is typed, in turn
 * @property {Record<string, Value[]>} [lists] what lists hold before the run; others keep what they hold
 * @property {Value | Value[]} says the one thing that is said, or several in turn
 * @property {Record<string, Value[]>} [holds] what lists hold after the run
 * @typedef {(Value | Value[])[]} Row the short form of a round: what is typed, and at last what is said
 */

/**
 * @param {any} actual as the program has it
 * @param {Value} wanted
 * @param {string} what what is compared, for the message
 */
const expectValue = (actual, wanted, what) => {
    if (typeof wanted === 'number') return expectEqual(actual, wanted, what);
    expect(String(actual) === wanted, `${what} should be exactly ${show(wanted)}, but is ${show(actual)}`);
};

/**
 * Waits for a question and answers it.
 * @param {Player} player
 * @param {string} question
 * @param {Value} text what is typed
 */
const reply = async (player, question, text) => {
    await player.ticks.until(`it was asked ${show(question)}`, () => player.speech.waiting, QUESTION_MS);
    expectEqual(player.speech.questions.at(-1), question, 'the question');
    await player.answer(text);
};

/**
 * Waits for results, and a little longer: nothing else may be said.
 * @param {Player} player
 * @param {string} sprite who speaks
 * @param {Value[]} wanted what should be said, in turn
 * @param {number} before how many texts of the sprite are old
 * @param {string} [when] completes the message
 */
const hear = async (player, sprite, wanted, before, when = '') => {
    const said = () => player.speech.of(sprite).slice(before);
    const head = `what ${sprite} says${when && ` ${when}`}`;
    for (const [i, text] of wanted.entries()) {
        await player.ticks.until(`${sprite} said ${show(text)}${when && ` ${when}`}`, () => said().length > i, RESULT_MS);
        expectValue(said()[i], text, head);
    }
    await player.ticks.pass(SETTLE);
    const texts = said().map(show).join(', ');
    expect(said().length === wanted.length, `${head} should be ${wanted.length} in number, but is ${texts}`);
};

/**
 * @param {Player} player
 * @param {string} name of a list
 * @param {Value[]} wanted its items
 */
const expectItems = (player, name, wanted) => {
    const items = player.data.list(name);
    const texts = items.map(show).join(', ');
    expect(items.length === wanted.length, `${name} should have ${wanted.length} items, but holds ${texts || 'none'}`);
    wanted.forEach((value, i) => expectValue(items[i], value, `item ${i + 1} of ${name}`));
};

/**
 * Plays one round from the flag to the last word.
 * @param {Player} player
 * @param {Speaker} speaker
 * @param {Round | Row} round
 */
const converse = async (player, {sprite, asks = []}, round) => {
    const row = Array.isArray(round);
    const {given = [], lists = {}, says, holds = {}} = row
        ? {given: /** @type {Value[]} */ (round.slice(0, -1)), says: round[round.length - 1]}
        : round;
    const {speech} = player;
    const before = speech.of(sprite).length;
    const asked = speech.questions.length;
    for (const [name, items] of Object.entries(lists)) player.data.setList(name, items);
    await player.flag();
    for (const [i, text] of given.entries()) {
        await reply(player, asks[i] ?? asks[asks.length - 1], text);
        // What is typed last may have been answered by now.
        if (i + 1 < given.length) expect(speech.of(sprite).length === before, `${sprite} should say nothing before the last answer`);
    }
    const when = given.length > 0 ? `for ${given.map(show).join(', ')}` : '';
    await hear(player, sprite, Array.isArray(says) ? says : [says], before, when);
    expectEqual(speech.questions.length - asked, given.length, 'the number of questions');
    for (const [name, items] of Object.entries(holds)) expectItems(player, name, items);
};

/**
 * @param {Speaker} speaker
 * @param {Record<string, (Round | Row)[]>} table names of cases, and the rounds that each of them plays in one program
 * @returns {import('./suite.js').Case[]}
 */
const dialogue = (speaker, table) =>
    Object.entries(table).map(([name, rounds]) => ({
        name,
        run: async player => {
            for (const round of rounds) await converse(player, speaker, round);
        }
    }));

module.exports = {dialogue, converse, reply, hear, expectItems};
