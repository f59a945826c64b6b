// @ts-check
// Judge of compute/second_melon: the second heaviest of several rows of melons.

const {dialogue} = require('./lib/dialogue.js');
const {times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n melons */
const prize = n => {
    const melons = times(n, () => whole(1, 2 * n));
    const weights = [...new Set(melons)].sort((a, b) => b - a);
    return [...melons, 'stop', weights[1] ?? 'none'];
};

module.exports = suite(
    dialogue({sprite: 'Marta', asks: ['Next melon?']}, {
        'two and three melons': [
            [4, 7, 'stop', 4],
            [7, 4, 'stop', 4],
            [3, 8, 5, 'stop', 5]
        ],
        'the second may come first, in the middle or at last': [
            [8, 2, 9, 1, 'stop', 8],
            [2, 9, 8, 1, 'stop', 8],
            [9, 1, 2, 8, 'stop', 8],
            [1, 2, 8, 9, 'stop', 8]
        ],
        'melons of the same weight count as one': [
            [5, 9, 9, 'stop', 5],
            [9, 5, 9, 'stop', 5],
            [9, 9, 5, 5, 'stop', 5],
            [6, 6, 7, 6, 'stop', 6]
        ],
        'there are not two different weights': [
            ['stop', 'none'],
            [12, 'stop', 'none'],
            [3, 3, 3, 'stop', 'none']
        ],
        'weights are numbers': [
            [100, 99, 9, 'stop', 99],
            [20, 3, 100, 'stop', 20],
            [1, 2, 'stop', 1]
        ],
        'every run starts afresh': [
            [50, 60, 'stop', 50],
            ['stop', 'none'],
            [4, 'stop', 'none'],
            [2, 3, 'stop', 2]
        ],
        'melons by chance': [prize(4), prize(6), prize(5)],
        'a run that is broken off leaves nothing behind': [{given: [90, 80]}, [3, 5, 'stop', 3]]
    })
);
