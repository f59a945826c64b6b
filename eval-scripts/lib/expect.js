// @ts-check
// Expectations on a running program. One that is not met fails its case; any other exception is a fault
// of the script and reaches the judge as such.

const {same} = require('./cast.js');

/** An expectation that the program did not meet. */
class Unmet extends Error {}

/**
 * @param {any} value as the program has it
 * @returns {string} how messages show it
 */
const show = value => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/**
 * @param {boolean} holds whether it is met
 * @param {string} message what was expected
 */
const expect = (holds, message) => {
    if (!holds) throw new Unmet(message);
};

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
 * @param {import('../types').Target} target a sprite
 * @param {number} x
 * @param {number} y
 * @param {string} [when] completes the message
 */
const expectAt = (target, x, y, when = '') => {
    // Motion adds up binary fractions; a millionth of a pixel is no difference that a program makes.
    const close = Math.abs(target.x - x) < 1e-6 && Math.abs(target.y - y) < 1e-6;
    const place = `(${target.x}, ${target.y})`;
    expect(close, `${target.sprite.name} should be at (${x}, ${y})${when && ` ${when}`}, but is at ${place}`);
};

module.exports = {Unmet, expect, expectEqual, expectAt, show};
