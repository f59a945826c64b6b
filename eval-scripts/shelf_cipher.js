// @ts-check
// Judge of compute/shelf_cipher: words moved along the alphabet by all kinds of steps.

const {dialogue} = require('./lib/dialogue.js');
const {letters, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * @param {string} word
 * @param {number} steps
 */
const code = (word, steps) => {
    const place = (/** @type {string} */ letter) => (((ALPHABET.indexOf(letter) + steps) % 26) + 26) % 26;
    return [word, steps, [...word].map(letter => ALPHABET[place(letter)]).join('')];
};

module.exports = suite(
    dialogue({sprite: 'Tilda', asks: ['Which word?', 'How many steps?']}, {
        'a few steps on': [
            ['lazy', 3, 'odcb'],
            ['owl', 1, 'pxm'],
            ['book', 5, 'gttp']
        ],
        'steps back': [
            ['odcb', -3, 'lazy'],
            ['abc', -1, 'zab'],
            ['m', -13, 'z']
        ],
        'no step and a whole round': [
            ['moon', 0, 'moon'],
            ['moon', 26, 'moon'],
            ['moon', -26, 'moon']
        ],
        'more than a round': [
            ['page', 27, 'qbhf'],
            ['page', 100, 'lwca'],
            ['page', -100, 'teki']
        ],
        'single letters at both ends of the alphabet': [
            ['a', 25, 'z'],
            ['z', 25, 'y'],
            ['z', 1, 'a'],
            ['a', -25, 'b']
        ],
        'a long word': [['abcdefghijklmnopqrstuvwxyz', 13, 'nopqrstuvwxyzabcdefghijklm']],
        'every run starts afresh': [
            ['ink', 2, 'kpm'],
            ['ink', 2, 'kpm'],
            ['pen', 2, 'rgp']
        ],
        'words by chance': [code(letters(6, ALPHABET), whole(2, 24)), code(letters(9, ALPHABET), whole(-24, -2)), code(letters(5, ALPHABET), whole(28, 250))],
        'a run that is broken off leaves nothing behind': [{given: ['zebra']}, ['abc', 1, 'bcd']]
    })
);
