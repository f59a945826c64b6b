// @ts-check
// How a case ends that a program does not pass. `expect.js` passes both on: scripts take them from there.

/** An expectation that the program did not meet. */
class Unmet extends Error {}

/**
 * @param {boolean} holds whether it is met
 * @param {string} message what was expected
 */
const expect = (holds, message) => {
    if (!holds) throw new Unmet(message);
};

module.exports = {Unmet, expect};
