// @ts-check
// Judge of compute/two_queues: the line that several queues make.

const {dialogue} = require('./lib/dialogue.js');
const {letters, times, whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {number} left how many stand there
 * @param {number} right
 */
const queues = (left, right) => {
    const [a, b] = [left, right].map(n => times(n, () => letters(whole(1, 3), 'abc')).sort());
    return {lists: {'left queue': a, 'right queue': b}, says: left + right, holds: {line: [...a, ...b].sort(), 'left queue': a, 'right queue': b}};
};

module.exports = suite(
    dialogue({sprite: 'Marta'}, {
        'the queues that are there at first': [
            {
                says: 7,
                holds: {
                    line: ['ada', 'ben', 'carl', 'finn', 'mila', 'nora', 'zoe'],
                    'left queue': ['ada', 'finn', 'mila', 'zoe'],
                    'right queue': ['ben', 'carl', 'nora']
                }
            }
        ],
        'one queue goes first as a whole': [
            {
                lists: {'left queue': ['ann', 'bob'], 'right queue': ['cem', 'dora', 'eli']},
                says: 5,
                holds: {line: ['ann', 'bob', 'cem', 'dora', 'eli']}
            },
            {lists: {'left queue': ['yin', 'zed'], 'right queue': ['amy']}, says: 3, holds: {line: ['amy', 'yin', 'zed']}}
        ],
        'the same name in both queues': [
            {
                lists: {'left queue': ['kim', 'kim', 'lea'], 'right queue': ['kim', 'max']},
                says: 5,
                holds: {line: ['kim', 'kim', 'kim', 'lea', 'max']}
            },
            {lists: {'left queue': ['ida'], 'right queue': ['ida']}, says: 2, holds: {line: ['ida', 'ida']}}
        ],
        'a queue that is empty': [
            {lists: {'left queue': [], 'right queue': ['jo', 'pia']}, says: 2, holds: {line: ['jo', 'pia'], 'left queue': []}},
            {lists: {'left queue': ['gus', 'tom'], 'right queue': []}, says: 2, holds: {line: ['gus', 'tom'], 'right queue': []}},
            {lists: {'left queue': []}, says: 0, holds: {line: []}}
        ],
        'names that begin alike': [
            {
                lists: {'left queue': ['anna', 'annabel', 'annie'], 'right queue': ['ann', 'annabella']},
                says: 5,
                holds: {line: ['ann', 'anna', 'annabel', 'annabella', 'annie']}
            }
        ],
        'every run starts afresh': [
            {lists: {line: ['old', 'older']}, says: 7, holds: {line: ['ada', 'ben', 'carl', 'finn', 'mila', 'nora', 'zoe']}},
            {says: 7, holds: {line: ['ada', 'ben', 'carl', 'finn', 'mila', 'nora', 'zoe']}},
            {lists: {'right queue': ['abel']}, says: 5, holds: {line: ['abel', 'ada', 'finn', 'mila', 'zoe']}}
        ],
        'queues by chance': [queues(5, 4), queues(2, 7), queues(6, 3)]
    })
);
