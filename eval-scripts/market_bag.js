// @ts-check
// Judge of create/market_bag: what is asked, what gets into the bag, and what is said in the end.

const {expect, expectEqual, expectText, expectTexts} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const QUESTION = 'What do you need?';
const AGAIN = 'You have that';
/** Ticks for which that must be seen: half a second, and one for the way in which waits are rounded. */
const SEEN = 14;

/** @param {Player} player */
const said = player => player.speech.of('Hedgehog');

/** @param {Player} player */
const asked = async player => {
    await player.ticks.until('it asked', () => player.speech.waiting, Infinity);
    expectText(player.speech.questions.at(-1), QUESTION, 'the question');
};

/**
 * Gives answers, each to a question of its own, and checks the bag after each.
 * @param {Player} player
 * @param {string[]} answers none of which is done
 */
const shop = async (player, answers) => {
    /** @type {string[]} */
    const bag = [];
    for (const answer of answers) {
        await asked(player);
        const [questions, spoken] = [player.speech.questions.length, said(player).length];
        await player.answer(answer);
        const known = bag.includes(answer);
        if (!known) bag.push(answer);
        await player.ticks.until('it asked again', () => player.speech.questions.length > questions, Infinity);
        expectTexts(said(player).slice(spoken), known ? [AGAIN] : [], `what it says after ${answer}`);
        expectTexts(player.data.list('bag'), bag, `bag after ${answer}`);
        if (!known) continue;
        const {ticks} = player.speech.entries('Hedgehog')[spoken];
        expect(ticks >= SEEN, `"${AGAIN}" should be seen for half a second at least, but was for ${ticks} ticks`);
    }
};

/**
 * Answers done and checks the end.
 * @param {Player} player
 * @param {string} text what it should say
 */
const finish = async (player, text) => {
    await asked(player);
    const [questions, spoken, bag] = [player.speech.questions.length, said(player).length, player.data.list('bag')];
    await player.answer('done');
    await player.ticks.until('it spoke', () => said(player).length > spoken, Infinity);
    await player.ticks.rest();
    expectTexts(said(player).slice(spoken), [text], 'what it says in the end');
    expectTexts(player.data.list('bag'), bag, 'bag in the end');
    expectEqual(player.speech.questions.length, questions, 'the number of questions in the end');
};

module.exports = suite([
    {
        name: 'the flag empties the bag and it asks, and says nothing else',
        run: async player => {
            await player.flag();
            await asked(player);
            await player.ticks.pass(66);
            expectTexts(player.speech.questions, [QUESTION], 'the questions before the first answer');
            expectEqual(player.data.list('bag').length, 0, 'the number of things in bag');
            expectTexts(said(player), [], 'what it says before the first answer');
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
        name: 'a second green flag starts with an empty bag, also in the middle of the shopping',
        run: async player => {
            await player.flag();
            await shop(player, ['soap', 'rope']);
            await finish(player, 'Buy soap rope');
            await player.flag();
            await shop(player, ['rope', 'flour']);
            await player.flag();
            await shop(player, ['cheese', 'cheese']);
            await finish(player, 'Buy cheese');
        }
    }
]);
