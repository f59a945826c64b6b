// @ts-check
// Expectations on a running program. One that is not met fails its case; any other exception is a fault
// of the script and reaches the judge as such.

const {same} = require('./cast.js');
const {expectSeen} = require('./seen.js');
const {Unmet, expect} = require('./unmet.js');

/**
 * @param {any} value as the program has it
 * @returns {string} how messages show it
 */
const show = value => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/**
 * Equality as Scratch's `=` block has it.
 * @param {any} actual what the program has
 * @param {any} wanted what it should have
 * @param {string} what what is compared, for the message
 */
const expectEqual = (actual, wanted, what) => {
    expect(same(actual, wanted), `${what} should be ${show(wanted)}, but is ${show(actual)}`);
};

/**
 * Equality letter by letter, for what programs say, think, ask or put into lists: case counts, and so do leading zeros.
 * A number of the program counts as the text that Scratch shows for it, so 5 is "5", but "05" is not.
 * @param {any} actual what the program has
 * @param {string | number} wanted what it should have
 * @param {string} what what is compared, for the message
 */
const expectText = (actual, wanted, what) => {
    expect(String(actual) === String(wanted), `${what} should be exactly ${show(wanted)}, but is ${show(actual)}`);
};

/**
 * The same for several texts in turn.
 * @param {any[]} actual what the program has
 * @param {(string | number)[]} wanted what it should have
 * @param {string} what what is compared, for the message
 */
const expectTexts = (actual, wanted, what) => {
    const equal = actual.length === wanted.length && actual.every((text, i) => String(text) === String(wanted[i]));
    const list = (/** @type {any[]} */ texts) => texts.map(show).join(', ') || 'nothing';
    expect(equal, `${what} should be exactly ${list(wanted)}, but is ${list(actual)}`);
};

/**
 * Expects that a player sees a sprite at a place.
 * @param {import('../types').Target} target a sprite
 * @param {number} x
 * @param {number} y
 * @param {string} [when] completes the message
 * @param {{mayHide?: boolean, mayBeCovered?: boolean}} [how] `mayHide`: whether the place counts even if a player can't see the sprite there;
 *     `mayBeCovered`: whether it does where other sprites hide all of it
 */
const expectAt = (target, x, y, when = '', {mayHide = false, mayBeCovered = false} = {}) => {
    if (!mayHide) expectSeen(target, when, {mayBeCovered});
    // Motion adds up binary fractions; a millionth of a pixel is no difference that a program makes.
    const close = Math.abs(target.x - x) < 1e-6 && Math.abs(target.y - y) < 1e-6;
    const place = `(${target.x}, ${target.y})`;
    expect(close, `${target.sprite.name} should be at (${x}, ${y})${when && ` ${when}`}, but is at ${place}`);
};

module.exports = {Unmet, expect, expectEqual, expectText, expectTexts, expectAt, show};
