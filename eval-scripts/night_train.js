// @ts-check
// Judge of compute/night_train: arrivals on the same day and on later ones.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {number} n @returns {string} with two digits */
const two = n => String(n).padStart(2, '0');

/**
 * @param {number} leaves minutes after midnight
 * @param {number} takes minutes
 */
const train = (leaves, takes) => {
    const time = (/** @type {number} */ minutes) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
    const days = Math.floor((leaves + takes) / 1440);
    return [time(leaves), takes, time(leaves + takes) + (days > 0 ? ` +${days}` : '')];
};

module.exports = suite(
    dialogue({sprite: 'Quill', asks: ['When does it leave?', 'How many minutes does it take?']}, {
        'within an hour': [
            ['12:15', 30, '12:45'],
            ['18:20', 11, '18:31']
        ],
        'over the full hour': [
            ['10:50', 25, '11:15'],
            ['12:34', 200, '15:54'],
            ['20:59', 1, '21:00']
        ],
        'two digits everywhere': [
            ['08:55', 10, '09:05'],
            ['00:00', 7, '00:07'],
            ['01:02', 0, '01:02'],
            ['09:59', 2, '10:01']
        ],
        'over midnight': [
            ['23:50', 20, '00:10 +1'],
            ['22:30', 300, '03:30 +1'],
            ['23:59', 1, '00:00 +1'],
            ['00:00', 1439, '23:59']
        ],
        'after several days': [
            ['06:07', 1440, '06:07 +1'],
            ['12:00', 2880, '12:00 +2'],
            ['23:59', 14400, '23:59 +10'],
            ['23:58', 4322, '00:00 +4']
        ],
        'every run starts afresh': [
            ['21:00', 240, '01:00 +1'],
            ['05:05', 5, '05:10'],
            ['21:00', 240, '01:00 +1']
        ],
        'trains by chance': [train(whole(0, 700), whole(1, 700)), train(whole(700, 1439), whole(741, 1400)), train(whole(0, 1439), whole(3000, 9000))],
        'a run that is broken off leaves nothing behind': [{given: ['22:22']}, ['09:00', 5, '09:05']]
    })
);
