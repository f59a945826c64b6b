// @ts-check
// Judge of compute/mirror_titles: mirror titles and plain ones, with spaces and capitals.

const {dialogue} = require('./lib/dialogue.js');
const {among, letters, times} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {string} text @returns {string} with capitals and spaces by chance */
const dress = text => [...text].map(letter => among([letter, letter, letter.toUpperCase(), `${letter} `])).join('');

/**
 * @param {string} half
 * @param {string} rest equal to the half, or not
 */
const title = (half, rest) => [dress(half + [...rest].reverse().join('')), half === rest ? 'mirror' : 'plain'];

const [one, two, three] = times(3, i => letters(3 + 2 * i, 'abdeilmnorst'));

module.exports = suite(
    dialogue({sprite: 'Tilda', asks: ['Which title?']}, {
        'single words': [
            ['level', 'mirror'],
            ['shelf', 'plain'],
            ['noon', 'mirror'],
            ['moon', 'plain']
        ],
        'spaces are left out': [
            ['never odd or even', 'mirror'],
            ['no lemon no melon', 'mirror'],
            ['never even or odd', 'plain'],
            ['a ba', 'mirror']
        ],
        'capital letters count like small ones': [
            ['Never odd Or even', 'mirror'],
            ['Anna', 'mirror'],
            ['Abc', 'plain']
        ],
        'spaces at the ends and several in a row': [
            ['  top   spot', 'mirror'],
            ['ab a ', 'mirror'],
            [' ab', 'plain']
        ],
        'short titles': [
            ['q', 'mirror'],
            ['aa', 'mirror'],
            ['ab', 'plain']
        ],
        'every run starts afresh': [
            ['ab', 'plain'],
            ['ba', 'plain'],
            ['aba', 'mirror'],
            ['aba', 'mirror']
        ],
        'titles by chance': [title(one, one), title(two, two), title(`x${three}`, `y${three}`), title(`${two}x`, `${two}y`), title(three, three)]
    })
);
