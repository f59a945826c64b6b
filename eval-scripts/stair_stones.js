// @ts-check
// Judge of compute/stair_stones: the number said for several numbers of steps, and for runs in a row.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} steps */
const stairs = steps => [steps, (steps * (steps + 1)) / 2];

module.exports = suite(
    dialogue({sprite: 'Mason', asks: ['How many steps?']}, {
        '1 step needs 1 stone': [[1, 1]],
        '4 steps need 10 stones': [[4, 10]],
        '10 steps need 55 stones': [[10, 55]],
        '25 steps need 325 stones': [[25, 325]],
        '0 steps need 0 stones': [[0, 0]],
        'every run starts afresh': [
            [3, 6],
            [5, 15],
            [5, 15]
        ],
        'steps by chance': [stairs(whole(6, 9)), stairs(whole(11, 24)), stairs(whole(26, 60))]
    })
);
