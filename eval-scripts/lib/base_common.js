// @ts-check
// What the judges over several bases share: texts compared letter by letter, and a while in which nothing may follow.

const {expect} = require('./expect.js');

/** @typedef {import('./player.js').Player} Player */

/** Ticks for which "and nothing else" is watched: longer than `say for 2 seconds` takes, the longest of the blocks' defaults. */
const WHILE = 66;

/**
 * @param {Player} player
 * @param {string} name a sprite's
 * @returns {import('./speech.js').Bubble[]} what it has said and thought, oldest first
 */
const bubblesOf = ({speech}, name) => [...speech.entries(name), ...speech.thoughts(name)].sort((a, b) => a.tick - b.tick);

/**
 * @param {Player} player
 * @param {string} name a sprite's
 * @param {number} [from] how many of its first texts are left out
 * @returns {string} its texts, oldest first; one that is only thought is marked, since that is not saying
 */
const wordsOf = (player, name, from = 0) => {
    return bubblesOf(player, name).slice(from).map(({type, text}) => (type === 'say' ? `"${text}"` : `(${type}s) "${text}"`)).join(' ');
};

/**
 * Expects that a sprite has said these texts, letter by letter, and no others.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string[]} texts oldest first; `(thinks) ` before one that should be thought
 * @param {string} when completes the message
 * @param {number} [from] how many of its first texts are left out
 */
const expectWords = (player, name, texts, when, from = 0) => {
    const wanted = texts.map(text => text.replace(/^(\(thinks\) )?([^]*)$/, '$1"$2"')).join(' ');
    const words = wordsOf(player, name, from);
    expect(words === wanted, `${name} should have said ${wanted || 'nothing'} ${when}, but said ${words || 'nothing'}`);
};

/**
 * Expects that these sounds were started, in this order.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string[]} sounds oldest first
 * @param {string} when completes the message
 * @param {number} [from] how many of its first sounds are left out
 */
const expectHeard = (player, name, sounds, when, from = 0) => {
    const heard = player.sounds.of(name).slice(from).join(' ');
    expect(heard === sounds.join(' '), `the sounds of ${name} ${when} should be "${sounds.join(' ')}", but are "${heard}"`);
};

/**
 * Compares numbers as Scratch has them, but for rounding: adding up binary fractions is no difference that a program makes.
 * @param {any} actual
 * @param {number} wanted
 * @param {string} what
 */
const expectNear = (actual, wanted, what) => {
    expect(Math.abs(Number(actual) - wanted) < 1e-6, `${what} should be ${wanted}, but is ${actual}`);
};

/**
 * Expects that a bubble stayed for some time and has gone.
 * @param {Player} player
 * @param {string} name the sprite's, whose last text is meant
 * @param {number} seconds
 */
const expectGone = async (player, name, seconds) => {
    const last = player.speech.entries(name).at(-1);
    expect(last !== undefined, `${name} should say something`);
    await player.ticks.until(`the bubble of ${name} went`, () => last === undefined || last.over, 1000 * seconds + 500);
    const ticks = last ? last.ticks : 0;
    expect(Math.abs(ticks - 30 * seconds) <= 2, `the bubble of ${name} should stay for ${seconds} seconds, not for ${ticks} ticks`);
};

module.exports = {WHILE, bubblesOf, wordsOf, expectWords, expectHeard, expectNear, expectGone};
