// @ts-check
// Judge of compute/apple_sort: lists of all kinds, and the order in which they are left.

const {dialogue} = require('./lib/dialogue.js');
const {times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n how many apples */
const heap = n => {
    const apples = times(n, () => whole(1, 400) / 2);
    return {lists: {apples}, says: 'sorted', holds: {apples: [...apples].sort((a, b) => b - a)}};
};

module.exports = suite(
    dialogue({sprite: 'Marta'}, {
        'the apples that are there at first': [{says: 'sorted', holds: {apples: [180, 165, 140, 120, 95]}}],
        'lightest first before, and in order already': [
            {lists: {apples: [1, 2, 3, 4, 5, 6]}, says: 'sorted', holds: {apples: [6, 5, 4, 3, 2, 1]}},
            {lists: {apples: [9, 7, 3]}, says: 'sorted', holds: {apples: [9, 7, 3]}}
        ],
        'numbers of different length': [
            {lists: {apples: [99, 100, 9, 1000, 10]}, says: 'sorted', holds: {apples: [1000, 100, 99, 10, 9]}},
            {lists: {apples: [2.5, 12, 2.25, 0.5]}, says: 'sorted', holds: {apples: [12, 2.5, 2.25, 0.5]}}
        ],
        'equal weights stay': [
            {lists: {apples: [5, 8, 5, 8, 5]}, says: 'sorted', holds: {apples: [8, 8, 5, 5, 5]}},
            {lists: {apples: [7, 7]}, says: 'sorted', holds: {apples: [7, 7]}}
        ],
        'one apple or none': [
            {lists: {apples: [150]}, says: 'sorted', holds: {apples: [150]}},
            {lists: {apples: []}, says: 'sorted', holds: {apples: []}}
        ],
        'a long row': [
            {
                lists: {apples: [3, 14, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26]},
                says: 'sorted',
                holds: {apples: [92, 89, 79, 65, 46, 38, 35, 32, 26, 15, 14, 3]}
            }
        ],
        'every run sorts what is there': [
            {says: 'sorted', holds: {apples: [180, 165, 140, 120, 95]}},
            {lists: {apples: [1, 3, 2]}, says: 'sorted', holds: {apples: [3, 2, 1]}},
            {says: 'sorted', holds: {apples: [3, 2, 1]}}
        ],
        'heaps by chance': [heap(8), heap(13), heap(5)]
    })
);
