// @ts-check
// Judge of compute/bolt_brackets: clamps that are tight, bad at a place, or open.

const {dialogue} = require('./lib/dialogue.js');
const {suite} = require('./lib/suite.js');

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
        ]
    })
);
