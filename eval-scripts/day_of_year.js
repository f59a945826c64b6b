// @ts-check
// Judge of compute/day_of_year: days of common years and of leap years.

const {dialogue} = require('./lib/dialogue.js');
const {whole} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/**
 * @param {number} year
 * @param {number} month
 * @param {number} day
 */
const date = (year, month, day) => {
    const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const before = LENGTHS['month lengths'].slice(0, month - 1).reduce((sum, length) => sum + length, 0);
    return [year, month, day, before + day + (leap && month > 2 ? 1 : 0)];
};

/** As the project has it; February has one day more in leap years. */
const LENGTHS = {'month lengths': [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]};

module.exports = suite(
    dialogue({sprite: 'Quill', asks: ['Which year?', 'Which month?', 'Which day?']}, {
        'days of a common year': [
            [2023, 3, 1, 60],
            [2023, 7, 14, 195],
            [2023, 10, 31, 304]
        ],
        'days of a leap year': [
            [2024, 3, 1, 61],
            [2024, 11, 9, 314],
            [2028, 12, 31, 366]
        ],
        'before March all years are alike': [
            [2024, 1, 1, 1],
            [2023, 1, 31, 31],
            [2024, 2, 29, 60],
            [2023, 2, 28, 59]
        ],
        'years that are divisible by 100': [
            [1900, 3, 1, 60],
            [2100, 12, 31, 365],
            [2200, 4, 10, 100]
        ],
        'years that are divisible by 400': [
            [2000, 3, 1, 61],
            [2400, 12, 31, 366]
        ],
        'the list stays as it is': [
            {given: [2023, 12, 31], says: 365, holds: LENGTHS},
            {given: [2024, 12, 31], says: 366, holds: LENGTHS}
        ],
        'every run starts afresh': [
            [2019, 5, 4, 124],
            [2020, 5, 4, 125],
            [2019, 5, 4, 124],
            [2020, 2, 4, 35]
        ],
        'dates by chance': [
            date(whole(1801, 2199), whole(3, 12), whole(1, 30)),
            date(4 * whole(451, 474), whole(3, 12), whole(1, 30)),
            date(whole(2001, 2099), whole(1, 2), whole(1, 28))
        ],
        'a run that is broken off leaves nothing behind': [{given: [2024, 12]}, [2023, 3, 1, 60]]
    })
);
