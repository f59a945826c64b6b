// @ts-check
// Judge of compute/{{ id }}: the double of what is typed.

const {dialogue} = require('./lib/dialogue.js');
const {suite} = require('./lib/suite.js');

module.exports = suite(
    dialogue({sprite: '{{ sprite }}', asks: ['Which number?']}, {
        'whole numbers are doubled': [
            [4, 8],
            [125, 250]
        ],
        'so are zero, negative numbers and decimals': [
            [0, 0],
            [-1.5, -3],
            [0.25, 0.5]
        ],
        'every run starts afresh': [
            [7, 14],
            [-20, -40],
            [7, 14]
        ]
    })
);
