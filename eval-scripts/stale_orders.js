// @ts-check
// Judge of debug/stale_orders: the numbers in a question are those that the answer is compared with.

const {day, sum, keeps} = require('./lib/base_bun_counter.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    keeps.paying,
    keeps.refusing,
    keeps.again,
    {
        name: 'the orders differ',
        run: async player => {
            const orders = new Set();
            for (let i = 0; i < 2; i += 1) {
                await day(player, sum, ({buns, price}) => {
                    orders.add(`${buns} at ${price}`);
                });
            }
            expectEqual(player.variable('right'), 3, 'right on the second day');
            expect(orders.size > 1, 'six orders should not all be the same');
        }
    },
    keeps.till
]);
