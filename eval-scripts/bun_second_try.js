// @ts-check
// Judge of extend/bun_second_try: a wrong answer gets a second try, misses are counted, and the day is graded.

const {CUSTOMERS, NEXT_MS, ordered, sum} = require('./lib/base_bun_counter.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const AGAIN = 'Try again: ';

/**
 * One day from the flag to the last words, with checks all along.
 * @param {Player} player
 * @param {number[]} wrong wrong answers of each customer: 0, 1 or 2
 * @param {string} grade
 */
const play = async (player, wrong, grade) => {
    const {speech} = player;
    let [coins, right, misses, asked] = [0, 0, 0, speech.questions.length];
    /** @type {string[]} */
    const baker = [];
    /** @type {string[]} */
    const guest = [];
    const [bakerBefore, guestBefore] = ['Baker', 'Guest'].map(name => speech.of(name).length);
    const expectSoFar = (/** @type {string} */ when) => {
        expectEqual(player.variable('coins'), coins, `coins ${when}`);
        expectEqual(player.variable('right'), right, `right ${when}`);
        expectEqual(player.variable('misses'), misses, `misses ${when}`);
        expectEqual(speech.of('Guest').slice(guestBefore).join('|'), guest.join('|'), `what the Guests said ${when}`);
        expectEqual(speech.of('Baker').slice(bakerBefore).join('|'), baker.join('|'), `what the Baker said ${when}`);
    };
    await player.flag();
    for (let i = 0; i < CUSTOMERS; i += 1) {
        const order = await ordered(player, (asked += 1));
        expectSoFar(`before customer ${i + 1}`);
        if (wrong[i] > 0) {
            misses += 1;
            await player.answer(sum(order) + i + 1);
            const same = await ordered(player, (asked += 1), AGAIN);
            expectEqual(`${same.buns} at ${same.price}`, `${order.buns} at ${order.price}`, 'the order in the second question');
            expectSoFar(`after a wrong answer of customer ${i + 1}`);
        }
        const refused = wrong[i] > 1;
        if (refused) {
            misses += 1;
            baker.push(`No, ${sum(order)} coins.`);
        } else {
            coins += sum(order);
            right += 1;
        }
        guest.push(refused ? 'Hmm...' : 'Thank you!');
        await player.answer(refused ? sum(order) - 1 : sum(order));
    }
    baker.push(`Closed. Coins: ${coins}. Grade: ${grade}`);
    const done = () => speech.of('Baker').slice(bakerBefore).length >= baker.length;
    await player.ticks.until('the shop closed', done, NEXT_MS);
    await player.ticks.pass(10);
    expectSoFar('in the end');
    expectEqual(speech.questions.length, asked, 'questions in all');
    expect(!speech.waiting, 'no question should be open in the end');
};

module.exports = suite(
    [
        {wrong: [0, 0, 0], grade: 'gold', what: 'a day without misses'},
        {wrong: [0, 1, 0], grade: 'silver', what: 'a second try that is right'},
        {wrong: [2, 0, 0], grade: 'silver', what: 'two wrong answers to one order'},
        {wrong: [1, 0, 2], grade: 'bronze', what: 'three misses'},
        {wrong: [2, 2, 2], grade: 'bronze', what: 'a day on which nothing is right'}
    ]
        .map(({wrong, grade, what}) => ({
            name: `${what}: ${grade}`,
            run: (/** @type {Player} */ player) => play(player, wrong, grade)
        }))
        .concat({
            name: 'the next day starts afresh, also after one that was broken off',
            run: async player => {
                await play(player, [1, 0, 0], 'silver');
                await player.flag();
                await player.answer(1);
                await play(player, [0, 0, 0], 'gold');
            }
        })
);
