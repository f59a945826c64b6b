// @ts-check
// Judge of debug/stale_orders: the numbers in a question are those that the answer is compared with.

const {ordered, keeps} = require('./lib/base_bun_counter.js');
const {expect} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

const ORDERS = 24;

module.exports = suite([
    keeps.paying,
    keeps.refusing,
    keeps.again,
    {
        name: 'orders are for 2 to 9 buns at 3 to 6 coins, and differ',
        run: async player => {
            const orders = new Set();
            // Each flag draws a first order.
            for (let i = 1; i <= ORDERS; i += 1) {
                await player.flag();
                const {buns, price} = await ordered(player, i);
                orders.add(`${buns} at ${price}`);
            }
            expect(orders.size > 3, `${ORDERS} orders should not nearly all be the same`);
        }
    },
    keeps.till
]);
