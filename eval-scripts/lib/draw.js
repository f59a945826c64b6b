// @ts-check
// Inputs by chance, for cases whose expectations the judge computes: no table of known answers passes them. In a judge,
// chance is a stream of the judgement's seed, so the same seed gives the same inputs.

/**
 * @param {number} low
 * @param {number} high
 * @returns {number} a whole number from `low` to `high`
 */
const whole = (low, high) => low + Math.floor(Math.random() * (high - low + 1));

/**
 * @template T
 * @param {ArrayLike<T>} items a list, or a text for its letters
 * @returns {T} one of them
 */
const among = items => items[whole(0, items.length - 1)];

/**
 * @template T
 * @param {number} n
 * @param {(i: number) => T} make makes each of them, counted from 0
 * @returns {T[]}
 */
const times = (n, make) => Array.from({length: n}, (_, i) => make(i));

/**
 * @param {number} n
 * @param {string} alphabet
 * @returns {string} so many letters of it
 */
const letters = (n, alphabet) => times(n, () => among(alphabet)).join('');

module.exports = {whole, among, times, letters};
