// @ts-check
// Judge of compute/backward_shelf: labels of one and of many words, and runs in a row.

const {dialogue} = require('./lib/dialogue.js');
const {letters, times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n how many words */
const label = n => {
    const words = times(n, () => letters(whole(1, 6), 'aeghilmnorstuvyABEMORST'));
    return [words.join(' '), [...words].reverse().join(' ')];
};

module.exports = suite(
    dialogue({sprite: 'Tilda', asks: ['Which label?']}, {
        'two words change places': [
            ['old maps', 'maps old'],
            ['Night Sky', 'Sky Night']
        ],
        'many words come in reverse order': [
            ['two old Maps', 'Maps old two'],
            ['a tale of six lost sea shells', 'shells sea lost six of tale a']
        ],
        'a single word stays as it is': [
            ['Atlas', 'Atlas'],
            ['z', 'z']
        ],
        'words of one letter and words that come twice': [
            ['a b c d', 'd c b a'],
            ['on and on and on', 'on and on and on'],
            ['b a a', 'a a b']
        ],
        'numbers and signs are words too': [
            ['vol. 12 of 100', '100 of 12 vol.'],
            ['0 00 7', '7 00 0']
        ],
        'every run starts afresh': [
            ['new moon', 'moon new'],
            ['moon', 'moon'],
            ['new moon', 'moon new']
        ],
        'labels by chance': [label(3), label(7), label(2)]
    })
);
