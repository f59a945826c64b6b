// @ts-check
// Judge of compute/burrow_years: the burrows of several years, floods included.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} year */
const burrows = year => {
    let [earlier, now] = [0, 1];
    for (let i = 1; i <= year; i += 1) {
        const grown = now + 2 * earlier;
        [earlier, now] = [now, i % 5 === 0 ? Math.floor(grown / 2) : grown];
    }
    return [year, now];
};

module.exports = suite(
    dialogue({sprite: 'Bramble', asks: ['Which year?']}, {
        'the first years': [
            [0, 1],
            [1, 1],
            [2, 3],
            [3, 5],
            [4, 11]
        ],
        'a flood halves the burrows': [
            [5, 10],
            [6, 32]
        ],
        'later years go on from what remained': [
            [7, 52],
            [8, 116],
            [9, 220]
        ],
        'a second and a third flood': [
            [10, 226],
            [11, 666],
            [14, 4686],
            [15, 4793]
        ],
        'far away years': [
            [20, 101872],
            [30, 46013866]
        ],
        'every run starts afresh': [
            [6, 32],
            [2, 3],
            [6, 32]
        ],
        'years by chance': [burrows(whole(12, 13)), burrows(whole(16, 19)), burrows(whole(21, 29)), burrows(whole(31, 40))]
    })
);
