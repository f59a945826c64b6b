// @ts-check
// Judge of extend/marsh_replay: clicks on the musicians are noted in a list, and the space key plays them again.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {VERSE, expectActs, placesCase, playShow, watchActs} = require('./lib/base_marsh_band.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** Ticks in which a musician has ended for sure. */
const DONE = 15;

/** @param {Player} player */
const tune = player => player.data.list('tune').join(' ');

/**
 * Clicks musicians one after another and lets each end.
 * @param {Player} player
 * @param {string} names their first letters: F, N or C
 */
const perform = async (player, names) => {
    for (const name of names) {
        await player.click({F: 'Frog', N: 'Newt', C: 'Cricket'}[name] || name);
        await player.ticks.pass(DONE);
    }
};

/** @param {string} names F and N in their order @returns {string[]} the acts, one after another */
const actsOf = names => [...names].flatMap(name => VERSE.filter(act => act.startsWith(name)));

/**
 * Presses the space key and checks what is played.
 * @param {Player} player
 * @param {string} names F and N in the order in which they should be played
 */
const expectReplay = async (player, names) => {
    const acts = watchActs(player);
    await player.tap('space');
    await player.ticks.until(`${names.length} musicians played`, () => acts.length >= 2 * names.length, 500 * names.length + 500);
    await player.ticks.pass(DONE);
    expectActs(acts, actsOf(names), 'after the space key');
};

module.exports = suite([
    {
        name: 'a click makes the Frog drum and the Newt leap and notes who it was',
        run: async player => {
            await player.flag();
            expectEqual(tune(player), '', 'the tune after the flag');
            const acts = watchActs(player);
            await perform(player, 'FNN');
            expectActs(acts, actsOf('FNN'), 'after three clicks');
            expectEqual(tune(player), 'Frog Newt Newt', 'the tune after three clicks');
            expectEqual(player.sounds.of('Frog').join(), 'boom', 'the sounds of the Frog');
            expectAt(player.sprite('Newt'), 30, -50, 'after its leaps');
        }
    },
    {
        name: 'the space key plays the tune again, one after another',
        run: async player => {
            await player.flag();
            await perform(player, 'NFFN');
            await expectReplay(player, 'NFFN');
            expectEqual(tune(player), 'Newt Frog Frog Newt', 'the tune after it was played again');
        }
    },
    {
        name: 'it can be played twice and longer then',
        run: async player => {
            await player.flag();
            await perform(player, 'FN');
            await expectReplay(player, 'FN');
            await perform(player, 'N');
            await expectReplay(player, 'FNN');
        }
    },
    {
        name: 'a click on the Cricket takes the last one away',
        run: async player => {
            await player.flag();
            await perform(player, 'C');
            expectEqual(tune(player), '', 'the tune after a click on the Cricket alone');
            await perform(player, 'FNC');
            expectEqual(tune(player), 'Frog', 'the tune after two musicians and the Cricket');
            await perform(player, 'CN');
            expectEqual(tune(player), 'Newt', 'the tune after the Cricket and the Newt');
            await expectReplay(player, 'N');
        }
    },
    {
        name: 'the green flag empties the tune and the show of the Heron is not noted',
        run: async player => {
            await player.flag();
            await perform(player, 'FN');
            expectEqual(tune(player), 'Frog Newt', 'the tune');
            await player.flag();
            expectEqual(tune(player), '', 'the tune after a new flag');
            await playShow(player);
            expectEqual(tune(player), '', 'the tune after a show');
            const acts = watchActs(player);
            await player.tap('space');
            await player.ticks.pass(DONE);
            expect(acts.length === 0, 'with an empty tune the space key should play nothing');
        }
    },
    placesCase
]);
