// @ts-check
// Judge of compute/coin_drawer: the coins given back, and their number, for several drawers.

const {dialogue} = require('./lib/dialogue.js');
const {times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {number[]} coins largest first
 * @param {number} cost
 * @param {number} paid
 */
const purchase = (coins, cost, paid) => {
    const change = [];
    let left = paid - cost;
    for (const coin of coins) for (; left >= coin; left -= coin) change.push(coin);
    return {lists: {coins}, given: [cost, paid], says: change.length, holds: {change, coins}};
};

/** @param {number} n how many kinds of coins @returns {number[]} */
const drawer = n => times(n, i => 1 + i * whole(4, 9)).reverse();

module.exports = suite(
    dialogue({sprite: 'Pim', asks: ['What does it cost?', 'What was paid?']}, {
        'change from the coins that are there at first': [
            {given: [13, 50], says: 4, holds: {change: [20, 10, 5, 2]}},
            {given: [2, 100], says: 6, holds: {change: [50, 20, 20, 5, 2, 1]}}
        ],
        'one coin is enough': [
            {given: [30, 50], says: 1, holds: {change: [20]}},
            {given: [7, 8], says: 1, holds: {change: [1]}}
        ],
        'the same coin several times': [
            {given: [0, 90], says: 3, holds: {change: [50, 20, 20]}},
            {given: [11, 15], says: 2, holds: {change: [2, 2]}},
            {given: [1, 201], says: 4, holds: {change: [50, 50, 50, 50]}}
        ],
        'nothing to give back': [
            {given: [25, 25], says: 0, holds: {change: []}},
            {given: [0, 0], says: 0, holds: {change: []}}
        ],
        'other coins': [
            {lists: {coins: [25, 10, 1]}, given: [60, 90], says: 6, holds: {change: [25, 1, 1, 1, 1, 1], coins: [25, 10, 1]}},
            {lists: {coins: [1]}, given: [4, 7], says: 3, holds: {change: [1, 1, 1], coins: [1]}}
        ],
        'every run starts afresh': [
            {given: [1, 9], says: 3, holds: {change: [5, 2, 1]}},
            {given: [1, 9], says: 3, holds: {change: [5, 2, 1], coins: [50, 20, 10, 5, 2, 1]}}
        ],
        'purchases by chance': [
            purchase([50, 20, 10, 5, 2, 1], whole(1, 40), whole(60, 140)),
            purchase(drawer(3), whole(0, 9), whole(30, 60)),
            purchase(drawer(4), whole(10, 20), whole(40, 90))
        ],
        'a run that is broken off leaves nothing behind': [{given: [3]}, {given: [13, 50], says: 4, holds: {change: [20, 10, 5, 2]}}]
    })
);
