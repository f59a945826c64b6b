// @ts-check
// Judge of extend/bun_second_try: a wrong answer gets a second try, misses are counted, and the day is graded.

const {bubblesOf, expectHeard, expectWords} = require('./lib/base_common.js');
const {CUSTOMERS, NEXT_MS, expectClosed, ordered, sum} = require('./lib/base_bun_counter.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {costumeOf, expectCostume} = require('./lib/looks.js');
const {expectSeen, isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const AGAIN = 'Try again: ';

/**
 * One day from the flag to the last words, with checks all along.
 * @param {Player} player
 * @param {number[]} wrong wrong answers of each customer: 0, 1 or 2
 * @param {string} grade
 * @param {boolean} [toTheEnd] whether to watch that nothing follows
 */
const play = async (player, wrong, grade, toTheEnd = true) => {
    const {speech} = player;
    let [coins, right, misses, asked] = [0, 0, 0, speech.questions.length];
    /** @type {string[]} */
    const baker = [];
    /** @type {string[]} */
    const guest = [];
    const till = player.sprite('Till');
    const chings = player.sounds.of('Till').length;
    const track = player.motion.watch(till);
    const look = () => costumeOf(player.sprite('Guest'));
    const isOpen = () => isSeen(till) && costumeOf(till) === 'open';
    let worn = look();
    const [bakerBefore, guestBefore] = ['Baker', 'Guest'].map(name => bubblesOf(player, name).length);
    const expectSoFar = (/** @type {string} */ when) => {
        expectEqual(player.variable('coins'), coins, `coins ${when}`);
        expectEqual(player.variable('right'), right, `right ${when}`);
        expectEqual(player.variable('misses'), misses, `misses ${when}`);
        expectWords(player, 'Guest', guest, when, guestBefore);
        expectWords(player, 'Baker', baker, when, bakerBefore);
        expectHeard(player, 'Till', Array(right).fill('ching'), when, chings);
        for (const name of ['Baker', 'Guest']) expectSeen(player.sprite(name), when);
        expectCostume(till, 'shut', when);
    };
    await player.flag();
    for (let i = 0; i < CUSTOMERS; i += 1) {
        const order = await ordered(player, (asked += 1));
        expect(look() !== worn, `customer ${i + 1} should look different from the one before`);
        worn = look();
        expectEqual(player.variable('customer'), i + 1, `customer while question ${i + 1} is open`);
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
        guest.push(refused ? '(thinks) Hmm...' : 'Thank you!');
        expect(look() === worn, 'the customer should stay for the second question');
        await player.answer(refused ? sum(order) - 1 : sum(order));
        if (!refused) await player.ticks.until('the Till opened', isOpen, 300);
    }
    baker.push(`Closed. Coins: ${coins}. Grade: ${grade}`);
    const done = () => bubblesOf(player, 'Baker').slice(bakerBefore).length >= baker.length;
    await player.ticks.until('the shop closed', done, NEXT_MS);
    if (toTheEnd) await expectClosed(player);
    expectSoFar('in the end');
    const open = track.samples.filter(({costume}) => costume === 'open').length;
    expect(Math.abs(open - 9 * right) <= 2 * right, `the Till should be open for 0.3 seconds each time, not for ${open} ticks in all`);
    for (const {text, ticks} of [...bubblesOf(player, 'Guest').slice(guestBefore), ...bubblesOf(player, 'Baker').slice(bakerBefore, -1)]) {
        expect(Math.abs(ticks - 15) <= 2, `"${text}" should stay for half a second, not for ${ticks} ticks`);
    }
    expectEqual(speech.questions.length, asked, 'questions in all');
    expect(!speech.waiting, 'no question should be open in the end');
};

module.exports = suite(
    [
        {wrong: [0, 0, 0], grade: 'gold', what: 'a day without misses'},
        {wrong: [0, 1, 0], grade: 'silver', what: 'a second try that is right'},
        {wrong: [2, 0, 0], grade: 'silver', what: 'two wrong answers to one order'},
        {wrong: [1, 0, 2], grade: 'bronze', what: 'three misses'},
        {wrong: [0, 2, 0], grade: 'silver', what: 'two misses with the second customer'},
        {wrong: [1, 1, 1], grade: 'bronze', what: 'three second tries that are right'},
        {wrong: [2, 2, 2], grade: 'bronze', what: 'a day on which nothing is right'}
    ]
        .map(({wrong, grade, what}) => ({
            name: `${what}: ${grade}`,
            run: (/** @type {Player} */ player) => play(player, wrong, grade)
        }))
        .concat({
            name: 'the next day starts afresh, also after one that was broken off',
            run: async player => {
                await play(player, [1, 0, 0], 'silver', false);
                await player.flag();
                await player.answer(1);
                await play(player, [0, 0, 0], 'gold');
            }
        })
        .concat({
            name: 'the green flag starts a new day while the Till is open',
            run: async player => {
                await player.flag();
                await player.answer(sum(await ordered(player, 1)));
                const till = player.sprite('Till');
                await player.ticks.until('the Till opened', () => isSeen(till) && costumeOf(till) === 'open', NEXT_MS);
                await player.flag();
                expectCostume(till, 'shut', 'after the flag');
            }
        })
);
