// @ts-check
// Judge of compute/pebble_hops: ways home from several pebbles.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} start */
const way = start => {
    let [pebble, hops, highest] = [start, 0, start];
    for (; pebble > 1; hops += 1) {
        pebble = pebble % 2 === 0 ? pebble / 2 : 3 * pebble + 1;
        highest = Math.max(highest, pebble);
    }
    return [start, `${hops} hops, highest ${highest}`];
};

module.exports = suite(
    dialogue({sprite: 'Bramble', asks: ['Which pebble?']}, {
        'short ways': [
            [6, '8 hops, highest 16'],
            [5, '5 hops, highest 16'],
            [3, '7 hops, highest 16']
        ],
        'straight down': [
            [2, '1 hops, highest 2'],
            [64, '6 hops, highest 64'],
            [1024, '10 hops, highest 1024']
        ],
        'at home already': [
            [1, '0 hops, highest 1'],
            [4, '2 hops, highest 4'],
            [1, '0 hops, highest 1']
        ],
        'the start may be the highest': [
            [40, '8 hops, highest 40'],
            [20, '7 hops, highest 20'],
            [48, '11 hops, highest 48']
        ],
        'long ways': [
            [27, '111 hops, highest 9232'],
            [97, '118 hops, highest 9232'],
            [7, '16 hops, highest 52']
        ],
        'every run starts afresh': [
            [9, '19 hops, highest 52'],
            [3, '7 hops, highest 16'],
            [9, '19 hops, highest 52']
        ],
        'pebbles by chance': [way(whole(10, 26)), way(whole(50, 96)), way(whole(100, 400))]
    })
);
