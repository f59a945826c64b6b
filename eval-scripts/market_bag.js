// @ts-check
// Judge of create/market_bag: what is asked, what gets into the bag, and what is said in the end.

const {expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const QUESTION = 'What do you need?';
const AGAIN = 'You have that';
const NEXT_MS = 4000;

/**
 * Gives answers, each to a question of its own, and checks the bag after each.
 * @param {Player} player
 * @param {string[]} answers none of which is done
 */
const shop = async (player, answers) => {
    /** @type {string[]} */
    const bag = [];
    for (const answer of answers) {
        await player.ticks.until('it asked', () => player.speech.waiting, NEXT_MS);
        expectEqual(player.speech.questions.at(-1), QUESTION, 'the question');
        const [asked, spoken] = [player.speech.questions.length, player.speech.of('Hedgehog').length];
        await player.answer(answer);
        const known = bag.includes(answer);
        if (!known) bag.push(answer);
        await player.ticks.until('it asked again', () => player.speech.questions.length > asked, NEXT_MS);
        const said = player.speech.of('Hedgehog').slice(spoken).join(', ');
        expectEqual(said, known ? AGAIN : '', `what it says after ${answer}`);
        expectEqual(player.data.list('bag').join(', '), bag.join(', '), `bag after ${answer}`);
    }
};

/**
 * Answers done and checks the end.
 * @param {Player} player
 * @param {string} text what it should say
 */
const finish = async (player, text) => {
    await player.ticks.until('it asked', () => player.speech.waiting, NEXT_MS);
    const [asked, spoken, bag] = [player.speech.questions.length, player.speech.of('Hedgehog').length, player.data.list('bag')];
    await player.answer('done');
    await player.ticks.until('it spoke', () => player.speech.of('Hedgehog').length > spoken, NEXT_MS);
    await player.ticks.pass(20);
    expectEqual(player.speech.of('Hedgehog').slice(spoken).join(', '), text, 'what it says in the end');
    expectEqual(player.data.list('bag').join(', '), bag.join(', '), 'bag in the end');
    expectEqual(player.speech.questions.length, asked, 'the number of questions in the end');
};

module.exports = suite([
    {
        name: 'the flag empties the bag and it asks, and says nothing else',
        run: async player => {
            await player.flag();
            await player.ticks.until('it asked', () => player.speech.waiting, NEXT_MS);
            expectEqual(player.speech.questions.join(', '), QUESTION, 'the questions');
            expectEqual(player.data.list('bag').length, 0, 'the number of things in bag');
            expectEqual(player.speech.of('Hedgehog').length, 0, 'how often it spoke');
        }
    },
    {
        name: 'two things are put in the bag and said in the end',
        run: async player => {
            await player.flag();
            await shop(player, ['milk', 'eggs']);
            await finish(player, 'Buy milk eggs');
        }
    },
    {
        name: 'the order is that of the answers, however many there are',
        run: async player => {
            await player.flag();
            await shop(player, ['zucchini', 'apples', '7 plums', 'bread', 'jam']);
            await finish(player, 'Buy zucchini apples 7 plums bread jam');
        }
    },
    {
        name: 'what the bag has already is not added again',
        run: async player => {
            await player.flag();
            await shop(player, ['tea', 'tea', 'salt', 'tea', 'salt', 'tea bags']);
            await finish(player, 'Buy tea salt tea bags');
        }
    },
    {
        name: 'done at once leaves the bag empty',
        run: async player => {
            await player.flag();
            await finish(player, 'Buy');
            expectEqual(player.data.list('bag').length, 0, 'the number of things in bag');
        }
    },
    {
        name: 'a second green flag starts with an empty bag',
        run: async player => {
            await player.flag();
            await shop(player, ['soap', 'rope']);
            await finish(player, 'Buy soap rope');
            await player.flag();
            await shop(player, ['rope', 'flour']);
            await player.flag();
            await shop(player, ['cheese']);
            await finish(player, 'Buy cheese');
        }
    }
]);
