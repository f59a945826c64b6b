// @ts-check
// Judge of compute/bookworm_path: ways straight on, back and in circles.

const {dialogue} = require('./lib/dialogue.js');
const {suite} = require('./lib/suite.js');

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
        ]
    })
);
