// @ts-check
// "Did you mean": the nearest of some known names.

/**
 * @param {string} a one word
 * @param {string} b another
 * @returns {number} how many letters must be put in, taken out, changed or swapped with the next one to turn one into the other
 */
const distance = (a, b) => {
    /** @type {number[]} */
    let before = [];
    let row = Array.from({length: b.length + 1}, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
            const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
            next.push(Math.min(change, row[j] + 1, next[j - 1] + 1, isSwap ? before[j - 2] + 1 : Infinity));
        }
        [before, row] = [row, next];
    }
    return row[b.length];
};

/** Letters that a word must have to be the beginning of a name. */
const SHORTEST_BEGINNING = 4;

/**
 * @param {string} word what was asked for
 * @param {Iterable<string>} names what there is
 * @returns {string | null} the nearest name, or null when none is near: more than a third of the letters differ. The
 *     shortest name that goes on where the word ends is nearer than any other
 */
const nearest = (word, names) => {
    const longer = word.length < SHORTEST_BEGINNING ? [] :
        [...names].filter(name => name.toLowerCase().startsWith(word.toLowerCase()));
    if (longer.length) return longer.reduce((a, b) => (b.length < a.length ? b : a));
    let best = null;
    let least = Math.max(1, Math.floor(word.length / 3)) + 1;
    for (const name of names) {
        const d = distance(word.toLowerCase(), name.toLowerCase());
        if (d < least) {
            best = name;
            least = d;
        }
    }
    return best;
};

/**
 * @param {string[]} names what there is
 * @param {number} [limit] how many to show
 * @returns {string} the names, quoted and joined; `none` when there are none
 */
const listed = (names, limit = 40) => {
    if (!names.length) return 'none';
    const shown = names.slice(0, limit).map(name => JSON.stringify(name)).join(', ');
    return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
};

module.exports = {distance, nearest, listed};
