// @ts-check
// Judge of compute/guess_price: the questions that halve the range again and again, and the price that is left.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} price what the player thinks of */
const game = price => {
    const [asks, given] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
    let [lowest, highest] = [1, 100];
    while (lowest < highest) {
        const middle = Math.floor((lowest + highest) / 2);
        asks.push(`Is it more than ${middle}?`);
        given.push(price > middle ? 'yes' : 'no');
        if (price > middle) lowest = middle + 1;
        else highest = middle;
    }
    return {asks, given, says: price};
};

/** @param {number[]} prices found out one after the other in one program */
const games = (...prices) => prices.map(game);

module.exports = suite(
    dialogue({sprite: 'Marta'}, {
        'the lowest price': games(1, 2),
        'the highest price': games(100, 99),
        'the middle and its neighbours': games(50, 51, 49),
        'prices that need more questions and fewer': games(3, 75, 76, 13),
        'prices anywhere': games(whole(4, 35), whole(52, 74), whole(77, 98), whole(14, 48)),
        'every run starts afresh': games(42, 42, 7),
        'a run that is broken off leaves nothing behind': [{...game(93), given: game(93).given.slice(0, 3), says: undefined}, game(7)]
    })
);
