// @ts-check
// Judge of compute/punch_tape: tapes with and without numbers, written out letter by letter.

const {dialogue} = require('./lib/dialogue.js');
const {among, letters, times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n groups */
const tape = n => {
    const text = times(n, () => among(['', '1', `${whole(2, 9)}`, `${whole(10, 24)}`]) + letters(1, 'abcdefgh')).join('');
    return [text, text.replace(/(\d+)(.)/g, (_, number, letter) => letter.repeat(number))];
};

module.exports = suite(
    dialogue({sprite: 'Zinc', asks: ['What is on the tape?']}, {
        'small numbers': [
            ['3a2b', 'aaabb'],
            ['2ab3c', 'aabccc'],
            ['4z', 'zzzz']
        ],
        'numbers of two digits': [
            ['12k', 'kkkkkkkkkkkk'],
            ['10a11b', 'aaaaaaaaaabbbbbbbbbbb'],
            ['3a12b', 'aaabbbbbbbbbbbb']
        ],
        'letters without a number': [
            ['gear', 'gear'],
            ['x', 'x'],
            ['a2bc', 'abbc'],
            ['ab2b', 'abbb']
        ],
        'the same letter again': [
            ['2a3a', 'aaaaa'],
            ['aa2a', 'aaaa']
        ],
        'long tapes': [
            ['30a1b29c', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabccccccccccccccccccccccccccccc'],
            ['2q2w2e2r2t2y2u2i2o2p', 'qqwweerrttyyuuiioopp']
        ],
        'every run starts afresh': [
            ['2a', 'aa'],
            ['b', 'b'],
            ['2a', 'aa']
        ],
        'tapes by chance': [tape(3), tape(5), tape(8)]
    })
);
