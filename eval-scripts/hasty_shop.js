// @ts-check
// Judge of debug/hasty_shop: one customer after the other, and the shop closes after the third.

const {expectWords} = require('./lib/base_common.js');
const {CUSTOMERS, day, expectClosed, ordered, sum, playThrough} = require('./lib/base_bun_counter.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'the shop waits for an answer before it goes on',
        run: async player => {
            await player.flag();
            await ordered(player, 1);
            const waits = () => player.speech.questions.length === 1 && player.speech.of('Baker').length === 0;
            await player.ticks.always('the shop waits for the first answer', waits, 60);
            expectEqual(player.variable('customer'), 1, 'customer while the first question is open');
        }
    },
    {
        name: 'customers are counted while they are served',
        run: async player => {
            const customers = player.data.watch('customer');
            let coins = 0;
            await day(player, (order, i) => {
                expectEqual(player.variable('customer'), i + 1, `customer while question ${i + 1} is open`);
                coins += sum(order);
                return sum(order);
            });
            expectEqual(customers.last, CUSTOMERS, 'customer in the end');
            await expectClosed(player);
            expectWords(player, 'Baker', [`Closed. Coins: ${coins}`], 'on the whole day');
            expect(!player.speech.waiting, 'no question should be open when the shop is closed');
        }
    },
    ...playThrough()
]);
