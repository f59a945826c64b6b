// @ts-check
// Judge of extend/bun_discount: six or more buns cost 4 coins less, wherever the sum counts.

const {CUSTOMERS, day, playThrough, sum} = require('./lib/base_bun_counter.js');
const {expectEqual, expectText} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {import('./lib/base_bun_counter.js').Order} Order
 */

/** Days of a case: enough for small and large orders. */
const DAYS = 3;

/** @param {Order} order */
const cost = order => sum(order) - (order.buns >= 6 ? 4 : 0);

/**
 * Some days on which all answers are wrong.
 * @param {Player} player
 * @param {(order: Order) => number} answerTo
 */
const refused = async (player, answerTo) => {
    const said = () => player.speech.of('Baker').filter(text => String(text).startsWith('No,'));
    for (let i = 0; i < DAYS; i += 1) {
        await day(player, answerTo, order => {
            expectText(said().at(-1), `No, ${cost(order)} coins.`, `what the Baker says about ${order.buns} buns at ${order.price}`);
        });
        expectEqual(said().length, (i + 1) * CUSTOMERS, 'wrong answers told');
        expectEqual(player.variable('right'), 0, 'right after wrong answers only');
        expectEqual(player.variable('coins'), 0, 'coins after wrong answers only');
    }
};

module.exports = suite([
    {
        name: 'orders are paid with the discount from six buns on',
        run: async player => {
            for (let i = 0; i < DAYS; i += 1) {
                let coins = 0;
                const words = await day(player, cost, order => {
                    coins += cost(order);
                    expectEqual(player.variable('coins'), coins, `coins after ${order.buns} buns at ${order.price}`);
                });
                expectText(words, `Closed. Coins: ${coins}`, 'what the Baker says in the end');
                expectEqual(player.variable('right'), CUSTOMERS, 'right in the end');
            }
        }
    },
    {
        name: 'due holds what the order costs while the question is open',
        run: async player => {
            for (let i = 0; i < DAYS; i += 1) {
                await day(player, order => {
                    expectEqual(player.variable('due'), cost(order), `due for ${order.buns} buns at ${order.price}`);
                    return cost(order);
                });
            }
        }
    },
    {
        name: 'a wrong answer is told what is due',
        run: player => refused(player, order => cost(order) + 1)
    },
    {
        name: 'the full price is wrong for six or more buns, and the discount for fewer',
        run: player => refused(player, order => (order.buns >= 6 ? sum(order) : sum(order) - 4))
    },
    ...playThrough({cost})
]);
