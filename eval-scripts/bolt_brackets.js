// @ts-check
// Judge of compute/bolt_brackets: clamps that are tight, bad at a place, or open.

const {dialogue} = require('./lib/dialogue.js');
const {among, letters, times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {string} text brackets @returns {string} what Zinc says of them */
const verdict = text => {
    const open = [];
    for (const [i, bracket] of [...text].entries()) {
        const kind = ')]}'.indexOf(bracket);
        if (kind < 0) open.push(bracket);
        else if (open.pop() !== '([{'[kind]) return `bad at ${i + 1}`;
    }
    return open.length === 0 ? 'tight' : `${open.length} open`;
};

/** @param {number} n pairs @returns {string} so many, tight in each other or side by side */
const nest = n => times(n, () => among(['()', '[]', '{}'])).reduce((inner, pair) => among([pair + inner, pair[0] + inner + pair[1], inner + pair]), '');

/** @param {string} text */
const clamps = text => [text, verdict(text)];

module.exports = suite(
    dialogue({sprite: 'Zinc', asks: ['Which clamps?']}, {
        'tight ones of each kind': [
            ['()', 'tight'],
            ['[]', 'tight'],
            ['{}', 'tight'],
            ['()[]{}', 'tight'],
            ['{[()()]}', 'tight']
        ],
        'brackets of the wrong kind': [
            ['(]', 'bad at 2'],
            ['{[}]', 'bad at 3'],
            ['([)]', 'bad at 3'],
            ['[()}', 'bad at 4']
        ],
        'closed although none is open': [
            [')', 'bad at 1'],
            ['()](', 'bad at 3'],
            ['[{}]}', 'bad at 5'],
            ['}{', 'bad at 1'],
            [']', 'bad at 1']
        ],
        'still open at the end': [
            ['(', '1 open'],
            ['{[(', '3 open'],
            ['([]', '1 open'],
            ['[[]{}{', '2 open']
        ],
        'nothing at all, and much': [
            ['', 'tight'],
            ['(((((((((())))))))))', 'tight'],
            ['[[[[[[[[[[[[', '12 open'],
            ['()()()()()()()()()()}', 'bad at 21']
        ],
        'every run starts afresh': [
            ['((', '2 open'],
            ['((', '2 open'],
            ['()', 'tight'],
            ['(', '1 open'],
            [')', 'bad at 1']
        ],
        'clamps by chance': [
            clamps(nest(7)),
            clamps(nest(5) + letters(3, '([{') + nest(4)),
            clamps(nest(4) + letters(4, ')]}')),
            clamps(`${letters(3, '([{')}${nest(3)}${letters(whole(1, 4), ')]}')}`)
        ]
    })
);
