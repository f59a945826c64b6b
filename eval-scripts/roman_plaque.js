// @ts-check
// Judge of compute/roman_plaque: the years on several plaques.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} year */
const plaque = year => {
    const signs = ['M', 'CM', 'D', 'CD', 'C', 'XC', 'L', 'XL', 'X', 'IX', 'V', 'IV', 'I'];
    const worths = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
    let [left, text] = [year, ''];
    for (const [i, worth] of worths.entries()) for (; left >= worth; left -= worth) text += signs[i];
    return [text, year];
};

module.exports = suite(
    dialogue({sprite: 'Quill', asks: ['What does the plaque say?']}, {
        'single signs': [
            ['I', 1],
            ['V', 5],
            ['L', 50],
            ['D', 500],
            ['M', 1000]
        ],
        'signs that are added': [
            ['XVI', 16],
            ['MDCLXVI', 1666],
            ['CCC', 300],
            ['VIII', 8]
        ],
        'signs that are subtracted': [
            ['XIV', 14],
            ['IX', 9],
            ['XL', 40],
            ['XC', 90],
            ['CD', 400],
            ['CM', 900]
        ],
        'years with both': [
            ['MCMXCIX', 1999],
            ['MMXXIV', 2024],
            ['CDXLIV', 444],
            ['MCDXCII', 1492]
        ],
        'the longest plaque and the largest year': [
            ['MMMDCCCLXXXVIII', 3888],
            ['MMMCMXCIX', 3999]
        ],
        'every run starts afresh, and the lists stay as they are': [
            ['MX', 1010],
            ['I', 1],
            {given: ['MX'], says: 1010, holds: {signs: ['I', 'V', 'X', 'L', 'C', 'D', 'M'], worths: [1, 5, 10, 50, 100, 500, 1000]}}
        ],
        'years by chance': [plaque(whole(11, 99)), plaque(whole(101, 999)), plaque(whole(1001, 1989)), plaque(whole(2001, 3998))]
    })
);
