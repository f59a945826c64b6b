// @ts-check
// Judge of compute/lamp_rows: numbers written in several bases, letter by letter.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {number} number
 * @param {number} base
 */
const row = (number, base) => [number, base, number.toString(base).toUpperCase()];

module.exports = suite(
    dialogue({sprite: 'Zinc', asks: ['Which number?', 'Which base?']}, {
        'base 2': [
            [10, 2, '1010'],
            [7, 2, '111'],
            [64, 2, '1000000']
        ],
        'base 16 with letters': [
            [254, 16, 'FE'],
            [48879, 16, 'BEEF'],
            [3282, 16, 'CD2'],
            [10, 16, 'A']
        ],
        'bases in between': [
            [100, 7, '202'],
            [8, 9, '8'],
            [63, 8, '77'],
            [142, 12, 'BA'],
            [94, 5, '334']
        ],
        'base 10 changes nothing': [
            [90210, 10, '90210'],
            [5, 10, '5']
        ],
        '0 and the base itself': [
            [0, 2, '0'],
            [2, 2, '10'],
            [16, 16, '10'],
            [15, 16, 'F'],
            [0, 16, '0']
        ],
        'large numbers': [
            [1000000, 2, '11110100001001000000'],
            [4294967295, 16, 'FFFFFFFF']
        ],
        'every run starts afresh': [
            [5, 2, '101'],
            [5, 2, '101'],
            [5, 3, '12']
        ],
        'numbers by chance': [
            row(whole(300, 5000), 2),
            row(whole(10000, 90000), whole(3, 9)),
            row(whole(10000, 90000), whole(11, 15)),
            row(whole(70000, 900000), 16)
        ],
        'a run that is broken off leaves nothing behind': [{given: [99]}, [10, 2, '1010']]
    })
);
