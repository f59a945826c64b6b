// @ts-check
// Programs that ask and then answer: a table of what is typed, and of what should be said for it, becomes cases.
// Only the limit of the case counts how long a program takes: instructions state no time for asking or for computing.

const {expect, expectEqual, expectText, Unmet, show} = require('./expect.js');

/** Ticks without a script that runs, after which a program is done: nothing more will come of it. */
const IDLE = 60;
/** Ticks that follow a result before the next round, so that what is said with it is heard. */
const SETTLE = 10;

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {string | number} Value a text, or a number as Scratch shows it; both must be met letter by letter
 * @typedef {{sprite: string, asks?: string[]}} Speaker who speaks, and the questions of a run in turn; where more is
 *     typed than there are questions, the last one is asked again and again
 * @typedef {object} Round one run of the program
 * @property {Value[]} [given] what is typed, in turn
 * @property {string[]} [asks] the questions of this run, instead of the speaker's
 * @property {Record<string, Value[]>} [lists] what lists hold before the run; others keep what they hold
 * @property {Value | Value[]} [says] the one thing that is said, or several in turn; without it the round is broken off after
 *     what is typed: the flag of the next one comes in the middle of it
 * @property {Record<string, Value[]>} [holds] what lists hold after the run
 * @typedef {(Value | Value[])[]} Row the short form of a round: what is typed, and at last what is said
 */

/**
 * Waits for as long as the program runs.
 * @param {Player} player
 * @param {string} what completes "it never happened that"
 * @param {() => boolean} condition
 */
const comes = async ({ticks}, what, condition) => {
    let busy = ticks.count;
    const done = () => {
        if (ticks.busy) busy = ticks.count;
        return ticks.count - busy >= IDLE;
    };
    await ticks.until(what, () => condition() || done());
    if (!condition()) throw new Unmet(`all scripts ended, and it never happened that ${what}`);
};

/**
 * Waits for a question and answers it.
 * @param {Player} player
 * @param {string} question
 * @param {Value} text what is typed
 */
const reply = async (player, question, text) => {
    await comes(player, `it was asked ${show(question)}`, () => player.speech.waiting);
    expectText(player.speech.questions.at(-1), question, 'the question');
    await player.answer(text);
};

/**
 * Waits for results, and until the program rests: nothing else may be said.
 * @param {Player} player
 * @param {string} sprite who speaks
 * @param {Value[]} wanted what should be said, in turn
 * @param {number} before how many texts of the sprite are old
 * @param {{when?: string, rests?: boolean}} [how] `when` completes the messages; without `rests`, only what comes right after
 *     the results is heard
 */
const hear = async (player, sprite, wanted, before, {when = '', rests = true} = {}) => {
    const {speech, ticks} = player;
    const said = () => speech.of(sprite).slice(before);
    const head = `what ${sprite} says${when && ` ${when}`}`;
    for (const [i, text] of wanted.entries()) {
        await comes(player, `${sprite} said ${show(text)}${when && ` ${when}`}`, () => said().length > i || speech.waiting);
        expect(said().length > i, `${sprite} should say ${show(text)}${when && ` ${when}`}, but asks ${show(speech.questions.at(-1))}`);
        expectText(said()[i], text, head);
    }
    await (rests ? ticks.rest() : ticks.pass(SETTLE));
    const texts = said().map(show).join(', ');
    expect(said().length === wanted.length, `${head} should be ${wanted.length} in number, but is ${texts}`);
};

/**
 * @param {Player} player
 * @param {string} name of a list
 * @param {Value[]} wanted its items
 * @param {string} [owner] name of a sprite, or Stage for a list that is for all sprites
 */
const expectItems = (player, name, wanted, owner = 'Stage') => {
    const items = player.data.list(name, owner);
    const texts = items.map(show).join(', ');
    expect(items.length === wanted.length, `${name} should have ${wanted.length} items, but holds ${texts || 'none'}`);
    wanted.forEach((value, i) => expectText(items[i], value, `item ${i + 1} of ${name}`));
};

/**
 * Plays one round from the flag to the last word.
 * @param {Player} player
 * @param {Speaker} speaker
 * @param {Round | Row} round
 * @param {boolean} [rests] whether the program is watched until it rests; without it, another round follows soon
 */
const converse = async (player, speaker, round, rests = true) => {
    const row = Array.isArray(round);
    const {given = [], lists = {}, says, holds = {}, asks = speaker.asks ?? []} = row
        ? {given: /** @type {Value[]} */ (round.slice(0, -1)), says: round[round.length - 1]}
        : round;
    const {sprite} = speaker;
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
    if (says === undefined) return;
    const when = given.length > 0 ? `for ${given.map(show).join(', ')}` : '';
    await hear(player, sprite, Array.isArray(says) ? says : [says], before, {when, rests});
    expectEqual(speech.questions.length - asked, given.length, 'the number of questions');
    for (const [name, items] of Object.entries(holds)) expectItems(player, name, items);
};

/**
 * @param {Speaker} speaker
 * @param {Record<string, (Round | Row)[]>} table names of cases, and the rounds that each of them plays in one program; after
 *     the last round the program is watched until it rests
 * @returns {import('./suite.js').Case[]}
 */
const dialogue = (speaker, table) =>
    Object.entries(table).map(([name, rounds]) => ({
        name,
        run: async player => {
            for (const [i, round] of rounds.entries()) await converse(player, speaker, round, i + 1 === rounds.length);
        }
    }));

module.exports = {dialogue, converse, reply, hear, expectItems};
