// @ts-check
// Judge of compute/fair_number: fair, rich and poor numbers.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n */
const generous = n => {
    let over = -n;
    for (let part = 1; part < n; part += 1) if (n % part === 0) over += part;
    if (over === 0) return [n, 'fair'];
    return [n, over > 0 ? `rich by ${over}` : `poor by ${-over}`];
};

module.exports = suite(
    dialogue({sprite: 'Bramble', asks: ['How many clovers?']}, {
        'fair numbers': [
            [6, 'fair'],
            [28, 'fair'],
            [496, 'fair']
        ],
        'rich numbers': [
            [12, 'rich by 4'],
            [20, 'rich by 2'],
            [100, 'rich by 17'],
            [945, 'rich by 30']
        ],
        'poor numbers': [
            [8, 'poor by 1'],
            [15, 'poor by 6'],
            [9, 'poor by 5']
        ],
        'numbers that have no divisor but 1': [
            [2, 'poor by 1'],
            [13, 'poor by 12'],
            [97, 'poor by 96']
        ],
        'the smallest and the largest': [
            [1, 'poor by 1'],
            [1000, 'rich by 340']
        ],
        'every run starts afresh': [
            [18, 'rich by 3'],
            [4, 'poor by 1'],
            [18, 'rich by 3']
        ],
        'numbers by chance': [generous(12 * whole(2, 60)), generous(whole(101, 900)), generous(2 * whole(20, 60) + 1)]
    })
);
