// @ts-check
// Judge of compute/roman_plaque: the years on several plaques.

const {dialogue} = require('./lib/dialogue.js');
const {suite} = require('./lib/suite.js');

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
        ]
    })
);
