// @ts-check
// Scripts in scratchblocks notation, cut into pieces that look different, and what is new in them.

/** @typedef {{kind: 'plain' | 'value' | 'choice' | 'condition' | 'word' | 'note', text: string}} Piece */

/** Lines that hold blocks together rather than do something. */
const WORDS = /^(\s*)(forever|else|end|define)\b/;

/** @type {Record<string, {close: string, kind: 'value' | 'choice' | 'condition'}>} */
const BRACKETS = {
    '(': {close: ')', kind: 'value'},
    '[': {close: ']', kind: 'choice'},
    '<': {close: '>', kind: 'condition'}
};

/**
 * @param {string} line
 * @param {number} start where an opening bracket stands
 * @returns {number} the place behind its closing bracket, or -1 when there is none
 */
const closing = (line, start) => {
    const open = line[start];
    const {close} = BRACKETS[open];
    let depth = 0;
    for (let i = start; i < line.length; i += 1) {
        // `<` and `>` between spaces compare.
        const compares = open === '<' && line[i - 1] === ' ' && line[i + 1] === ' ' && i > start;
        if (line[i] === '\\') i += 1;
        else if (compares) continue;
        else if (line[i] === open) depth += 1;
        else if (line[i] === close && --depth === 0) return i + 1;
    }
    return -1;
};

/**
 * @param {string} line of a script
 * @returns {Piece[]} pieces that together are the line
 */
export const pieces = line => {
    /** @type {Piece[]} */
    const out = [];
    const plain = (/** @type {string} */ text) => {
        const last = out[out.length - 1];
        if (last?.kind === 'plain') last.text += text;
        else if (text) out.push({kind: 'plain', text});
    };
    let i = 0;
    const word = WORDS.exec(line);
    if (word) {
        plain(word[1]);
        out.push({kind: 'word', text: word[2]});
        i = word[0].length;
    }
    while (i < line.length) {
        if (line.startsWith('//', i)) {
            out.push({kind: 'note', text: line.slice(i)});
            break;
        }
        const bracket = line[i] === '\\' ? undefined : BRACKETS[line[i]];
        const end = bracket ? closing(line, i) : -1;
        if (bracket && end > 0) {
            out.push({kind: bracket.kind, text: line.slice(i, end)});
            i = end;
        } else {
            const taken = line[i] === '\\' ? 2 : 1;
            plain(line.slice(i, i + taken));
            i += taken;
        }
    }
    return out;
};

/**
 * Which lines of a script are new. Lines keep their order, so that a moved line counts as new where it went.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {boolean[]} for each line of `after`
 */
export const added = (before, after) => {
    // The longest common subsequence; scripts are short.
    const rows = Array.from({length: before.length + 1}, () => new Uint32Array(after.length + 1));
    for (let i = before.length - 1; i >= 0; i -= 1) {
        for (let j = after.length - 1; j >= 0; j -= 1) {
            rows[i][j] = before[i] === after[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
        }
    }
    const fresh = after.map(() => true);
    for (let i = 0, j = 0; i < before.length && j < after.length; ) {
        if (before[i] === after[j]) {
            fresh[j] = false;
            i += 1;
            j += 1;
        } else if (rows[i + 1][j] >= rows[i][j + 1]) i += 1;
        else j += 1;
    }
    return fresh;
};

/** Numbers of blocks are given anew at each look, so they tell nothing of a change. @param {string} line */
const unnumbered = line => line.replace(/#\d+/g, '#');

/**
 * What became of a text, line by line; lines that are gone stand before what took their place.
 * @param {string} before
 * @param {string} after
 * @returns {{kind: 'same' | 'new' | 'gone', text: string}[]}
 */
export const differences = (before, after) => {
    const [was, is] = [before.split('\n'), after.split('\n')];
    const [old, now] = [was.map(unnumbered), is.map(unnumbered)];
    const fresh = added(old, now);
    // The lines that stayed are found one after another in the old text; what lies between is gone.
    const gone = was.map(() => true);
    let found = -1;
    now.forEach((line, j) => {
        if (fresh[j]) return;
        found = old.indexOf(line, found + 1);
        gone[found] = false;
    });
    /** @type {{kind: 'same' | 'new' | 'gone', text: string}[]} */
    const out = [];
    let i = 0;
    is.forEach((text, j) => {
        for (; i < was.length && gone[i]; i += 1) out.push({kind: 'gone', text: was[i]});
        out.push({kind: fresh[j] ? 'new' : 'same', text});
        if (!fresh[j]) i += 1;
    });
    for (; i < was.length; i += 1) if (gone[i]) out.push({kind: 'gone', text: was[i]});
    return out;
};
