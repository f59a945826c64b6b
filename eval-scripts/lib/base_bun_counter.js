// @ts-check
// Steps and cases for the tasks on the base project bun_counter: a Baker who asks sums, a Guest and a Till.

const {bubblesOf, expectHeard, expectWords, WHILE} = require('./base_common.js');
const {expect, expectEqual} = require('./expect.js');
const {costumeOf, expectCostume} = require('./looks.js');
const {expectSeen, isSeen} = require('./seen.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {{buns: number, price: number}} Order
 */

/** Customers of a day. */
const CUSTOMERS = 3;
/** What follows an answer takes half a second. */
const NEXT_MS = 2000;
const QUESTION = /^([1-9]\d*) buns at ([1-9]\d*) coins each\?$/;
/** Ticks for which the Guest and the Baker speak, and for which the Till is open. */
const [SPEECH, OPEN] = [15, 9];

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

/** @param {Player} player @param {number} from */
const closed = (player, from) => player.speech.of('Baker').slice(from).find(text => String(text).startsWith('Closed.'));

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
    const said = speech.of('Baker').length;
    await player.flag();
    for (let i = 0; i < CUSTOMERS; i += 1) {
        const order = await ordered(player, before + i + 1);
        expect(closed(player, said) === undefined, `the shop should not close before customer ${i + 1} is served`);
        await player.answer(answerTo(order, i));
        const next = () => (speech.waiting && speech.questions.length > before + i + 1) || closed(player, said) !== undefined;
        await ticks.until('the next customer came or the shop closed', next, NEXT_MS);
        await then(order, i);
    }
    await ticks.until('the shop closed', () => closed(player, said) !== undefined, NEXT_MS);
    await ticks.pass(10);
    expectEqual(speech.questions.length - before, CUSTOMERS, 'orders of a day');
    return String(closed(player, said));
};

/** @param {Order} order */
const sum = ({buns, price}) => buns * price;

/**
 * Expects that the shop is closed for good.
 * @param {Player} player
 */
const expectClosed = async player => {
    const {speech, sounds} = player;
    const track = player.motion.watch(player.sprite('Till'));
    const counts = () => [speech.said, speech.thought, speech.questions, sounds.started].map(({length}) => length).join();
    const before = counts();
    await player.ticks.always('nothing more is said, asked or heard when the shop is closed', () => counts() === before, WHILE);
    track.expectSeen('when the shop is closed');
    expectEqual(track.costumes.join(), 'shut', 'costumes of the Till when the shop is closed');
    expect(speech.entries('Baker').at(-1)?.over === false, 'the last words of the Baker should stay');
};

/**
 * A day on which everything is looked at: words, sounds, costumes and numbers.
 * @param {Player} player
 * @param {boolean[]} right which customers get a right answer
 * @param {(order: Order) => number} cost what an order costs
 * @param {(coins: number) => string} lastWords
 */
const watchedDay = async (player, right, cost, lastWords) => {
    const {motion} = player;
    const [guest, till] = ['Guest', 'Till'].map(name => player.sprite(name));
    const from = {Baker: bubblesOf(player, 'Baker').length, Guest: bubblesOf(player, 'Guest').length, Till: player.sounds.of('Till').length};
    const track = motion.watch(till);
    let coins = 0;
    let rights = 0;
    /** @type {string[]} */
    const baker = [];
    /** @type {string[]} */
    const guests = [];
    let worn = costumeOf(guest);
    let asked = 0;
    const words = await day(
        player,
        (order, i) => {
            expectEqual(player.variable('customer'), i + 1, `customer while question ${i + 1} of the day is open`);
            expect(costumeOf(guest) !== worn, `customer ${i + 1} should look different from the one before`);
            expectSeen(guest, `while question ${i + 1} is open`);
            expectCostume(till, 'shut', `while question ${i + 1} is open`);
            worn = costumeOf(guest);
            asked = player.ticks.count;
            return right[i] ? cost(order) : cost(order) + 1;
        },
        (order, i) => {
            if (right[i]) {
                coins += cost(order);
                rights += 1;
                guests.push('Thank you!');
            } else {
                baker.push(`No, ${cost(order)} coins.`);
                guests.push('(thinks) Hmm...');
            }
            expectEqual(player.variable('coins'), coins, `coins after customer ${i + 1}`);
            expectEqual(player.variable('right'), rights, `right after customer ${i + 1}`);
            expectWords(player, 'Guest', guests, `after customer ${i + 1}`, from.Guest);
            const isLast = i === CUSTOMERS - 1;
            expectWords(player, 'Baker', isLast ? [...baker, lastWords(coins)] : baker, `after customer ${i + 1}`, from.Baker);
            expectHeard(player, 'Till', Array(rights).fill('ching'), `after customer ${i + 1}`, from.Till);
            const gap = player.ticks.count - asked;
            expect(gap >= SPEECH - 1 && gap <= SPEECH + 4, `it should go on half a second after answer ${i + 1}, not after ${gap} ticks`);
            for (const name of right[i] ? ['Guest'] : ['Guest', 'Baker']) {
                const {text, ticks} = bubblesOf(player, name).slice(0, name === 'Baker' && isLast ? -1 : undefined).at(-1) || {text: '', ticks: 0};
                expect(Math.abs(ticks - SPEECH) <= 2, `"${text}" should stay for half a second, not for ${ticks} ticks`);
            }
        }
    );
    expectWords(player, 'Baker', [...baker, words], 'in the end', from.Baker);
    const open = track.samples.filter(({costume}) => costume === 'open').length;
    track.expectSeen('all day');
    expectEqual(track.costumes.join(), ['shut', ...Array(rights).fill('open,shut')].join(), 'costumes of the Till');
    expect(Math.abs(open - rights * OPEN) <= 2 * rights, `the Till should be open for 0.3 seconds each time, not for ${open} ticks in all`);
};

/**
 * All that the base does; it fails on sprites without code.
 * @param {{cost?: (order: Order) => number, lastWords?: (coins: number) => string}} [how] what an extended shop does differently
 */
const playThrough = ({cost = sum, lastWords = coins => `Closed. Coins: ${coins}`} = {}) => [
    {
        name: 'right answers still fill the Till, and the shop closes after three customers',
        run: async (/** @type {Player} */ player) => {
            await watchedDay(player, [true, true, true], cost, lastWords);
            await expectClosed(player);
        }
    },
    {
        name: 'a wrong answer still earns nothing, and the Baker tells the right one',
        run: async (/** @type {Player} */ player) => {
            await watchedDay(player, [false, true, false], cost, lastWords);
            await expectClosed(player);
        }
    },
    {
        name: 'the next day still starts with an empty Till and has new orders',
        run: async (/** @type {Player} */ player) => {
            await watchedDay(player, [true, true, false], cost, lastWords);
            await watchedDay(player, [true, false, true], cost, lastWords);
            const orders = player.speech.questions;
            expect([orders.slice(0, 3), orders.slice(3)].some(each => new Set(each).size > 1), 'the customers of a day should not all order the same');
        }
    },
    {
        name: 'the green flag still starts a new day at any time, with the Till shut',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await player.answer(cost(await ordered(player, 1)));
            const till = player.sprite('Till');
            await player.ticks.until('the Till opened', () => isSeen(till) && costumeOf(till) === 'open', NEXT_MS);
            await player.flag();
            expectCostume(till, 'shut', 'after a flag while it was open');
            for (const name of ['coins', 'right']) expectEqual(player.variable(name), 0, `${name} after the flag`);
            expectEqual(player.variable('customer'), 1, 'customer after the flag');
        }
    }
];

module.exports = {CUSTOMERS, NEXT_MS, ordered, day, sum, expectClosed, playThrough};
