// @ts-check
// Judge of compute/bookworm_path: ways straight on, back and in circles.

const {dialogue} = require('./lib/dialogue.js');
const {letters} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {string} way */
const crawl = way => {
    let [column, row] = [0, 0];
    const books = new Set(['0,0']);
    for (const step of way) {
        column += {L: -1, R: 1}[step] ?? 0;
        row += {D: -1, U: 1}[step] ?? 0;
        books.add(`${column},${row}`);
    }
    return [way, books.size];
};

module.exports = suite(
    dialogue({sprite: 'Tilda', asks: ['Which way did it crawl?']}, {
        'straight ways': [
            ['RRRR', 5],
            ['UU', 3],
            ['DDDDDD', 7],
            ['LLL', 4]
        ],
        'ways back count no book twice': [
            ['RRL', 3],
            ['UDUDUD', 2],
            ['LLRRRR', 5],
            ['DUUU', 4]
        ],
        'round ways lead back to the start': [
            ['URDL', 4],
            ['UURRDDLL', 8],
            ['URDLURDL', 4],
            ['LDRULU', 5]
        ],
        'columns and rows are not mixed up': [
            ['URDRUR', 7],
            ['RU', 3],
            ['UR', 3],
            ['DDLLUU', 7],
            ['LD', 3],
            ['RRULLDL', 7]
        ],
        'an empty way is one book': [
            ['', 1],
            ['R', 2],
            ['', 1]
        ],
        'a long way': [
            ['RRRRRRRRRRRRUUUUUUUUUUUULLLLLLLLLLLLDDDDDDDDDDDDRRRR', 48],
            ['UUUUUUUUUUUUUUUUUUUUDDDDDDDDDDDDDDDDDDDDDDDDD', 26]
        ],
        'every run starts afresh': [
            ['UUL', 4],
            ['LDD', 4],
            ['UUL', 4]
        ],
        'ways by chance': [crawl(letters(12, 'UDLR')), crawl(letters(30, 'UDLR')), crawl(letters(17, 'URL'))]
    })
);
