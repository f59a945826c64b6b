// @ts-check
// Steps and cases for the tasks on the base project bun_counter: a Baker who asks sums, a Guest and a Till.

const {expect, expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {{buns: number, price: number}} Order
 */

/** Customers of a day. */
const CUSTOMERS = 3;
/** What follows an answer takes half a second. */
const NEXT_MS = 2000;
const QUESTION = /^(\d+) buns at (\d+) coins each\?$/;

/**
 * @param {string} question
 * @param {string} [prefix] what stands before the order
 * @returns {Order}
 */
const orderOf = (question, prefix = '') => {
    const match = question.startsWith(prefix) ? QUESTION.exec(question.slice(prefix.length)) : null;
    expect(match !== null, `the question should be "${prefix}… buns at … coins each?", but is "${question}"`);
    const [buns, price] = (match || []).slice(1).map(Number);
    expect(buns >= 2 && buns <= 9, `an order should be for 2 to 9 buns, not ${buns}`);
    expect(price >= 3 && price <= 6, `a bun should cost 3 to 6 coins, not ${price}`);
    return {buns, price};
};

/**
 * Waits for a question, the nth one of the case.
 * @param {Player} player
 * @param {number} nth from 1
 * @param {string} [prefix] what stands before the order
 * @returns {Promise<Order>}
 */
const ordered = async (player, nth, prefix) => {
    const {speech, ticks} = player;
    await ticks.until(`question ${nth} was asked`, () => speech.waiting && speech.questions.length >= nth, NEXT_MS);
    expectEqual(speech.questions.length, nth, 'the number of questions so far');
    return orderOf(speech.questions[nth - 1], prefix);
};

/**
 * Clicks the flag, and answers each customer; then waits for what the Baker says in the end.
 * @param {Player} player
 * @param {(order: Order, i: number) => number} answerTo what is answered to the ith customer, from 0
 * @param {(order: Order, i: number) => void | Promise<void>} [then] looks at what follows, as soon as the next question or the
 *     end has come
 * @returns {Promise<string>} the last words
 */
const day = async (player, answerTo, then = () => {}) => {
    const {speech, ticks} = player;
    const before = speech.questions.length;
    const closed = (/** @type {number} */ from) =>
        speech.of('Baker').slice(from).find(text => String(text).startsWith('Closed.'));
    const said = speech.of('Baker').length;
    await player.flag();
    for (let i = 0; i < CUSTOMERS; i += 1) {
        const order = await ordered(player, before + i + 1);
        expect(closed(said) === undefined, `the shop should not close before customer ${i + 1} is served`);
        await player.answer(answerTo(order, i));
        const next = () => (speech.waiting && speech.questions.length > before + i + 1) || closed(said) !== undefined;
        await ticks.until('the next customer came or the shop closed', next, NEXT_MS);
        await then(order, i);
    }
    await ticks.until('the shop closed', () => closed(said) !== undefined, NEXT_MS);
    await ticks.pass(10);
    expectEqual(speech.questions.length - before, CUSTOMERS, 'orders of a day');
    return String(closed(said));
};

/** @param {Order} order */
const sum = ({buns, price}) => buns * price;

/** Cases on what the base project does; they fail on sprites without code. */
const keeps = {
    paying: {
        name: 'right answers fill the Till, and the shop closes after three customers',
        run: async (/** @type {Player} */ player) => {
            let coins = 0;
            const words = await day(player, sum, (order, i) => {
                coins += sum(order);
                expectEqual(player.variable('coins'), coins, `coins after customer ${i + 1}`);
                expectEqual(player.variable('right'), i + 1, `right after customer ${i + 1}`);
            });
            expectEqual(words, `Closed. Coins: ${coins}`, 'what the Baker says in the end');
            expectEqual(player.speech.of('Guest').join(), 'Thank you!,Thank you!,Thank you!', 'what the Guests say');
            expectEqual(player.sounds.of('Till').length, CUSTOMERS, 'times the Till was heard');
        }
    },
    refusing: {
        name: 'a wrong answer earns nothing, and the Baker tells the right one',
        run: async (/** @type {Player} */ player) => {
            let coins = 0;
            const said = () => player.speech.of('Baker').filter(text => String(text).startsWith('No,'));
            await day(
                player,
                (order, i) => (i === 1 ? sum(order) + 1 : sum(order)),
                (order, i) => {
                    coins += i === 1 ? 0 : sum(order);
                    expectEqual(player.variable('coins'), coins, `coins after customer ${i + 1}`);
                    expectEqual(said().length, i > 0 ? 1 : 0, 'wrong answers told');
                    if (i === 1) expectEqual(said()[0], `No, ${sum(order)} coins.`, 'what the Baker says to a wrong answer');
                }
            );
            expectEqual(player.variable('right'), 2, 'right after one wrong answer');
            expectEqual(player.speech.of('Guest').join(), 'Thank you!,Hmm...,Thank you!', 'what the Guests say');
        }
    },
    again: {
        name: 'the next day starts with an empty Till',
        run: async (/** @type {Player} */ player) => {
            await day(player, sum);
            let coins = 0;
            const words = await day(player, sum, order => {
                coins += sum(order);
                expectEqual(player.variable('coins'), coins, 'coins on the second day');
            });
            expectEqual(words, `Closed. Coins: ${coins}`, 'what the Baker says on the second day');
            expectEqual(player.variable('right'), CUSTOMERS, 'right on the second day');
        }
    },
    till: {
        name: 'the Till opens for a moment when it is paid, and only then',
        run: async (/** @type {Player} */ player) => {
            const track = player.motion.watch(player.sprite('Till'));
            await day(player, (order, i) => (i === 0 ? sum(order) - 1 : sum(order)));
            expectEqual(track.costumes.join(), 'shut,open,shut,open,shut', 'costumes of the Till');
            expectEqual(costumeOf(player.sprite('Till')), 'shut', 'costume of the Till in the end');
        }
    }
};

module.exports = {CUSTOMERS, NEXT_MS, ordered, day, sum, keeps};
