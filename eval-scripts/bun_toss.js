// @ts-check
// Judge of compute/bun_toss: the scores of several games.

const {dialogue} = require('./lib/dialogue.js');
const {among, times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n how many throws */
const game = n => {
    const throws = times(n, () => among([0, 10, whole(1, 9), whole(1, 9)]));
    let score = 0;
    for (const [i, buns] of throws.entries()) {
        score += throws[i - 1] === 10 ? 2 * buns : buns;
        if (buns === 0 && throws[i - 1] === 0) break;
    }
    return {lists: {throws}, says: score};
};

module.exports = suite(
    dialogue({sprite: 'Pim'}, {
        'plain throws': [
            {lists: {throws: [1, 2, 3]}, says: 6},
            {lists: {throws: [9, 9, 0, 9]}, says: 27},
            {lists: {throws: [7]}, says: 7}
        ],
        'a throw after a 10 counts double': [
            {says: 23},
            {lists: {throws: [10, 6, 6]}, says: 28},
            {lists: {throws: [5, 10]}, says: 15},
            {lists: {throws: [10, 0, 4]}, says: 14}
        ],
        'tens in a row': [
            {lists: {throws: [10, 10, 10]}, says: 50},
            {lists: {throws: [10, 10, 1, 1]}, says: 33}
        ],
        'two misses in a row end the game': [
            {lists: {throws: [4, 0, 0, 9, 9]}, says: 4},
            {lists: {throws: [0, 0, 10]}, says: 0},
            {lists: {throws: [10, 0, 0, 10, 10]}, says: 10},
            {lists: {throws: [2, 0, 0]}, says: 2}
        ],
        'misses apart from one another do not end it': [
            {lists: {throws: [0, 5, 0, 5, 0, 5]}, says: 15},
            {lists: {throws: [0, 1, 0, 0, 8]}, says: 1}
        ],
        'no throws': [{lists: {throws: []}, says: 0}],
        'every run starts afresh': [
            {lists: {throws: [3, 0, 10]}, says: 13},
            {says: 13},
            {lists: {throws: [4, 2]}, says: 6},
            {lists: {throws: [0]}, says: 0},
            {lists: {throws: [0, 3]}, says: 3}
        ],
        'games by chance': times(4, i => game(4 + 3 * i))
    })
);
