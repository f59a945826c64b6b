// @ts-check
// Scratch's own rules for comparing numbers and texts (the VM's Cast), which it does not export.

/**
 * @param {any} value a Scratch value
 * @returns {boolean} whether it is empty or all spaces, which Number() would take for 0
 */
const isBlank = value => value === null || (typeof value === 'string' && value.trim().length === 0);

/**
 * @param {any} a a Scratch value
 * @param {any} b a Scratch value
 * @returns {number} negative, 0 or positive, as Scratch's `<`, `=` and `>` see it
 */
const compare = (a, b) => {
    const x = isBlank(a) ? NaN : Number(a);
    const y = isBlank(b) ? NaN : Number(b);
    if (Number.isNaN(x) || Number.isNaN(y)) {
        const [s, t] = [String(a).toLowerCase(), String(b).toLowerCase()];
        return s < t ? -1 : Number(s > t);
    }
    // Infinity minus itself is no number.
    return x === y ? 0 : x - y;
};

/**
 * @param {any} a a Scratch value
 * @param {any} b a Scratch value
 * @returns {boolean} what the `=` block says
 */
const same = (a, b) => compare(a, b) === 0;

module.exports = {compare, same};
