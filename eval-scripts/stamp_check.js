// @ts-check
// Judge of compute/stamp_check: serial numbers with their check digits.

const {dialogue} = require('./lib/dialogue.js');
const {letters} = require('./lib/draw.js');
const {suite} = require('./lib/suite.js');

/** @param {string} digits */
const plate = digits => {
    const sum = [...digits].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
    return [digits, `${digits}${(10 - (sum % 10)) % 10}`];
};

module.exports = suite(
    dialogue({sprite: 'Zinc', asks: ['Which serial number?']}, {
        'numbers of even length': [
            ['4711', '47117'],
            ['25', '259'],
            ['9876', '98768']
        ],
        'numbers of odd length': [
            ['123', '1236'],
            ['90210', '902106'],
            ['5', '55']
        ],
        'a sum that is a multiple of 10 already': [
            ['31', '310'],
            ['0', '00'],
            ['55', '550'],
            ['190', '1908']
        ],
        'zeros in front and behind': [
            ['007', '0079'],
            ['0100', '01009'],
            ['700', '7009']
        ],
        'long numbers': [
            ['12345678901234567890', '123456789012345678900'],
            ['99999999999999999999999', '999999999999999999999997']
        ],
        'every run starts afresh': [
            ['1', '17'],
            ['1', '17'],
            ['12', '125'],
            ['1', '17']
        ],
        'numbers by chance': [plate(letters(6, '0123456789')), plate(letters(7, '0123456789')), plate(letters(13, '0123456789'))]
    })
);
