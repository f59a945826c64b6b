// @ts-check
// Judge of compute/lonely_carrots: the lonely numbers up to several bounds, and how many there are.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} bound */
const carrots = bound => {
    /** @type {number[]} */
    const lonely = [];
    for (let n = 2; n <= bound; n += 1) if (lonely.every(smaller => n % smaller !== 0)) lonely.push(n);
    return {given: [bound], says: lonely.length, holds: {lonely}};
};

module.exports = suite(
    dialogue({sprite: 'Bramble', asks: ['Up to which number?']}, {
        'up to 10 and 20': [
            {given: [10], says: 4, holds: {lonely: [2, 3, 5, 7]}},
            {given: [20], says: 8, holds: {lonely: [2, 3, 5, 7, 11, 13, 17, 19]}}
        ],
        'the bound itself may be lonely': [
            {given: [13], says: 6, holds: {lonely: [2, 3, 5, 7, 11, 13]}},
            {given: [2], says: 1, holds: {lonely: [2]}},
            {given: [3], says: 2, holds: {lonely: [2, 3]}}
        ],
        'there are none up to 0 or 1': [
            {given: [0], says: 0, holds: {lonely: []}},
            {given: [1], says: 0, holds: {lonely: []}}
        ],
        'squares are not lonely': [
            {given: [4], says: 2, holds: {lonely: [2, 3]}},
            {given: [9], says: 4, holds: {lonely: [2, 3, 5, 7]}},
            {given: [25], says: 9, holds: {lonely: [2, 3, 5, 7, 11, 13, 17, 19, 23]}}
        ],
        'many numbers': [
            {given: [50], says: 15, holds: {lonely: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]}},
            [200, 46]
        ],
        'every run starts afresh': [
            {given: [5], says: 3, holds: {lonely: [2, 3, 5]}},
            {given: [5], says: 3, holds: {lonely: [2, 3, 5]}}
        ],
        'bounds by chance': [carrots(whole(60, 99)), carrots(whole(26, 40))]
    })
);
