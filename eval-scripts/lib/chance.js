// @ts-check
// What chance gives, judged from many draws: a rule that correct programs break less than once in 10^9 runs.

const {expect} = require('./expect.js');

/** Fewer draws tell hardly anything: a script that asks with fewer is at fault. */
const LEAST_DRAWS = 60;
/** From here on the outer tenths of the range must be met: 2 * 0.9 ^ 220 is 1.7e-10. */
const DRAWS = 220;
/** The chance at which a correct program may miss one end, where there are fewer draws. */
const MISS = 1e-10;
/** A range of at most so many numbers must be met in full: 10 * 0.9 ^ 220 is 8.6e-10. */
const FEW = 10;

/** @param {number} a @param {number} b @returns {number} greatest common divisor; of 0 and b it is b */
const gcd = (a, b) => (a === 0 ? b : gcd(b % a, a));

/**
 * How much of the range lies at either end, in which there must be a draw: a tenth for 220 draws, more for fewer.
 * @param {number} n draws
 * @returns {number} from 0.1 to 0.32
 */
const shareOfEnd = n => (n >= DRAWS ? 0.1 : Math.max(0.1, 1 - MISS ** (1 / n)));

/**
 * Expects that draws look like "pick random (low) to (high)": whole numbers within the range, which reach both of its ends
 * and lie on no coarser grid, such as the even numbers or the multiples of ten. A correct program fails with a probability
 * below 10^-9, whatever the range. With 220 draws or more, one must lie in the greatest tenth of the range and one in the
 * least, so beyond 80% of the way from the middle to either end; and ranges of up to ten numbers must be met in full.
 * With fewer draws the ends that count are wider: with 60 they are a third of the range each.
 * @param {number[]} draws 60 at least, drawn independently of each other
 * @param {number} low least number, a whole one
 * @param {number} high greatest number, a whole one above `low`
 * @param {string} what completes the messages, such as "the x of the Mole"
 */
const expectUniform = (draws, low, high, what) => {
    if (draws.length < LEAST_DRAWS) throw new Error(`${draws.length} draws are too few to judge chance by: ${LEAST_DRAWS} at least`);
    // Motion adds up binary fractions: what is a millionth off is the whole number that was drawn.
    const whole = draws.map(draw => Math.round(draw));
    draws.forEach((draw, i) => {
        expect(Math.abs(draw - whole[i]) < 1e-6, `${what} should be a whole number, but is ${draw}`);
        expect(whole[i] >= low && whole[i] <= high, `${what} should be from ${low} to ${high}, but is ${whole[i]}`);
    });
    const [least, greatest] = [Math.min(...whole), Math.max(...whole)];
    const numbers = high - low + 1;
    const end = Math.ceil(shareOfEnd(whole.length) * numbers);
    const seen = `in ${whole.length} draws it was from ${least} to ${greatest}`;
    expect(least < low + end && greatest > high - end, `${what} should be any number from ${low} to ${high}, but ${seen}`);
    const step = whole.reduce((divisor, draw) => gcd(Math.abs(draw - whole[0]), divisor), 0);
    expect(step === 1, `${what} should be any number from ${low} to ${high}, but all of ${whole.length} draws lie ${step} apart`);
    if (numbers > FEW || whole.length < DRAWS) return;
    const missing = Array.from({length: numbers}, (_, i) => low + i).find(number => !whole.includes(number));
    expect(missing === undefined, `${what} should be any number from ${low} to ${high}, but in ${whole.length} draws it was never ${missing}`);
};

module.exports = {expectUniform, shareOfEnd, DRAWS};
