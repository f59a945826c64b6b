// @ts-check
// Judge of compute/guess_price: the questions that halve the range again and again, and the price that is left.

const {converse} = require('./lib/dialogue.js');
const {suite} = require('./lib/suite.js');

/** @param {number} price what the player thinks of */
const game = price => {
    const asks = [];
    const given = [];
    let [lowest, highest] = [1, 100];
    while (lowest < highest) {
        const middle = Math.floor((lowest + highest) / 2);
        asks.push(`Is it more than ${middle}?`);
        given.push(price > middle ? 'yes' : 'no');
        if (price > middle) lowest = middle + 1;
        else highest = middle;
    }
    return {asks, given};
};

/**
 * @param {string} name
 * @param {number[]} prices found out one after the other in one program
 */
const finds = (name, prices) => ({
    name,
    run: async (/** @type {import('./lib/player.js').Player} */ player) => {
        for (const price of prices) {
            const {asks, given} = game(price);
            await converse(player, {sprite: 'Marta', asks}, {given, says: price});
        }
    }
});

module.exports = suite([
    finds('the lowest price', [1, 2]),
    finds('the highest price', [100, 99]),
    finds('the middle and its neighbours', [50, 51, 49]),
    finds('prices that need more questions and fewer', [3, 75, 76, 13]),
    finds('prices anywhere', [37, 64, 88, 20]),
    finds('every run starts afresh', [42, 42, 7])
]);
