// @ts-check
// Judge of compute/middle_loaf: the weight in the middle of several lists, which stay as they are.

const {dialogue} = require('./lib/dialogue.js');
const {times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n how many loaves */
const loaves = n => {
    const weights = times(n, () => whole(200, 900));
    const row = [...weights].sort((a, b) => a - b);
    return {lists: {weights}, says: (row[Math.floor((n - 1) / 2)] + row[Math.floor(n / 2)]) / 2, holds: {weights}};
};

module.exports = suite(
    dialogue({sprite: 'Pim'}, {
        'the loaves that are there at first': [{says: 625, holds: {weights: [740, 510, 980, 625, 500]}}],
        'an odd number of loaves': [
            {lists: {weights: [9, 100, 20]}, says: 20, holds: {weights: [9, 100, 20]}},
            {lists: {weights: [3, 8, 1, 9, 7, 2, 4]}, says: 4, holds: {weights: [3, 8, 1, 9, 7, 2, 4]}}
        ],
        'an even number of loaves': [
            {lists: {weights: [700, 400, 650, 300]}, says: 525, holds: {weights: [700, 400, 650, 300]}},
            {lists: {weights: [5, 2]}, says: 3.5},
            {lists: {weights: [1, 2, 3, 10, 11, 50]}, says: 6.5}
        ],
        'equal loaves': [
            {lists: {weights: [6, 6, 1, 6, 9]}, says: 6},
            {lists: {weights: [4, 4, 4, 4]}, says: 4},
            {lists: {weights: [8, 2, 8, 2, 2]}, says: 2}
        ],
        'one loaf or none': [
            {lists: {weights: [333]}, says: 333},
            {lists: {weights: []}, says: 'no loaves', holds: {weights: []}}
        ],
        'every run starts afresh': [
            {lists: {weights: [10, 30, 20]}, says: 20},
            {says: 20},
            {lists: {weights: [1, 2]}, says: 1.5, holds: {weights: [1, 2]}}
        ],
        'loaves by chance': [loaves(8), loaves(11), loaves(6)]
    })
);
