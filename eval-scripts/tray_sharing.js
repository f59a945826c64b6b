// @ts-check
// Judge of compute/tray_sharing: the boxes for several numbers of rolls and cakes.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {number} rolls
 * @param {number} cakes
 */
const boxes = (rolls, cakes) => {
    let [number, rest] = [rolls, cakes];
    while (rest > 0) [number, rest] = [rest, number % rest];
    return [rolls, cakes, `${number} boxes: ${rolls / number} rolls and ${cakes / number} cakes`];
};

const share = whole(3, 11);

module.exports = suite(
    dialogue({sprite: 'Pim', asks: ['How many rolls?', 'How many cakes?']}, {
        'several boxes': [
            [12, 18, '6 boxes: 2 rolls and 3 cakes'],
            [40, 16, '8 boxes: 5 rolls and 2 cakes'],
            [21, 14, '7 boxes: 3 rolls and 2 cakes']
        ],
        'all into one box': [
            [8, 15, '1 boxes: 8 rolls and 15 cakes'],
            [1, 1, '1 boxes: 1 rolls and 1 cakes'],
            [13, 5, '1 boxes: 13 rolls and 5 cakes']
        ],
        'one number divides the other': [
            [5, 20, '5 boxes: 1 rolls and 4 cakes'],
            [24, 8, '8 boxes: 3 rolls and 1 cakes'],
            [9, 9, '9 boxes: 1 rolls and 1 cakes']
        ],
        'no rolls or no cakes': [
            [0, 7, '7 boxes: 0 rolls and 1 cakes'],
            [5, 0, '5 boxes: 1 rolls and 0 cakes']
        ],
        'large numbers': [
            [144, 89, '1 boxes: 144 rolls and 89 cakes'],
            [360, 168, '24 boxes: 15 rolls and 7 cakes'],
            [100, 250, '50 boxes: 2 rolls and 5 cakes']
        ],
        'every run starts afresh': [
            [4, 6, '2 boxes: 2 rolls and 3 cakes'],
            [6, 4, '2 boxes: 3 rolls and 2 cakes'],
            [4, 6, '2 boxes: 2 rolls and 3 cakes']
        ],
        'numbers by chance': [boxes(share * whole(2, 9), share * whole(2, 9)), boxes(whole(20, 90), whole(20, 90)), boxes(6 * whole(3, 20), 10 * whole(3, 12))],
        'a run that is broken off leaves nothing behind': [{given: [7]}, [12, 18, '6 boxes: 2 rolls and 3 cakes']]
    })
);
