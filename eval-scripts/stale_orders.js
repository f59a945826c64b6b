// @ts-check
// Judge of debug/stale_orders: the numbers in a question are those that the answer is compared with.

const {ordered, playThrough} = require('./lib/base_bun_counter.js');
const {expect} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** With so many, a correct program misses one of the ends in less than one case of a million. */
const ORDERS = 110;

module.exports = suite([
    ...playThrough(),
    {
        name: 'orders are for 2 to 9 buns at 3 to 6 coins',
        run: async player => {
            /** @type {Set<number>} */
            const buns = new Set();
            /** @type {Set<number>} */
            const prices = new Set();
            // Each flag draws a first order.
            for (let i = 1; i <= ORDERS; i += 1) {
                player.vm.greenFlag();
                const order = await ordered(player, i);
                buns.add(order.buns);
                prices.add(order.price);
            }
            for (const n of [2, 9]) expect(buns.has(n), `${ORDERS} orders should have one for ${n} buns`);
            for (const n of [3, 4, 5, 6]) expect(prices.has(n), `${ORDERS} orders should have one for ${n} coins a bun`);
        }
    }
]);
