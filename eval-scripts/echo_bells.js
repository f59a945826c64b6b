// @ts-check
// Judge of compute/echo_bells: rows after several echoes, digit by digit.

const {dialogue} = require('./lib/dialogue.js');
const {letters} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {string} first row
 * @param {number} echoes
 */
const bells = (first, echoes) => {
    let row = first;
    for (let i = 0; i < echoes; i += 1) row = row.replace(/(.)\1*/g, group => group.length + group[0]);
    return [first, echoes, row];
};

module.exports = suite(
    dialogue({sprite: 'Quill', asks: ['Which row comes first?', 'How many echoes?']}, {
        'one echo': [
            ['1', 1, '11'],
            ['21', 1, '1211'],
            ['333', 1, '33'],
            ['2277', 1, '2227']
        ],
        'several echoes of 1': [
            ['1', 4, '111221'],
            ['1', 6, '13112221'],
            ['1', 8, '31131211131221']
        ],
        'other first rows': [
            ['3', 3, '3113'],
            ['7', 5, '1113122117'],
            ['92', 2, '11191112']
        ],
        'a row that is its own echo, and no echo': [
            ['22', 5, '22'],
            ['4711', 0, '4711'],
            ['5', 0, '5']
        ],
        'long groups': [
            ['111111111111', 1, '121'],
            ['99999999998', 1, '10918']
        ],
        'every run starts afresh': [
            ['6', 2, '1116'],
            ['6', 2, '1116'],
            ['6', 1, '16']
        ],
        'rows by chance': [bells(letters(9, '12'), 2), bells(letters(4, '456789'), 3), bells(letters(14, '37'), 1)],
        'a run that is broken off leaves nothing behind': [{given: ['777']}, ['1', 2, '21']]
    })
);
