// @ts-check
// Judge of extend/marsh_replay: clicks on the musicians are noted in a list, and the space key plays them again.

const {WHILE, expectHeard} = require('./lib/base_common.js');
const {expect, expectAt, expectTexts} = require('./lib/expect.js');
const {VERSE, expectActs, playShow, playThrough, watchActs} = require('./lib/base_marsh_band.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** Ticks in which a musician has ended for sure. */
const DONE = 15;

/** @param {Player} player @param {string[]} names @param {string} when */
const expectTune = (player, names, when) => expectTexts(player.data.list('tune'), names, `the tune ${when}`);

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

/**
 * Watches those who can be told to play.
 * @param {Player} player
 * @returns {(when: string) => void} ends it, and expects that they were seen all the time
 */
const watchMusicians = player => {
    const tracks = ['Frog', 'Newt'].map(name => player.motion.watch(player.sprite(name)));
    return when => {
        for (const track of tracks) {
            track.stop();
            track.expectSeen(when);
        }
    };
};

/** @param {string} names F and N in their order @returns {string[]} the acts, one after another */
const actsOf = names => [...names].flatMap(name => VERSE.filter(act => act.startsWith(name)));

/**
 * Presses the space key and checks what is played.
 * @param {Player} player
 * @param {string} names F and N in the order in which they should be played
 * @param {number} [watched] ticks in which nothing more may be played
 */
const expectReplay = async (player, names, watched = WHILE) => {
    const acts = watchActs(player);
    const expectSeen = watchMusicians(player);
    const [booms, said] = [player.sounds.of('Frog').length, player.speech.said.length];
    await player.tap('space');
    await player.ticks.until(`${names.length} musicians played`, () => acts.length >= 2 * names.length, 500 * names.length + 500);
    await player.ticks.pass(watched);
    expectActs(acts, actsOf(names), 'after the space key');
    expectSeen('after the space key');
    expectHeard(player, 'Frog', [...names].filter(name => name === 'F').map(() => 'boom'), 'after the space key', booms);
    expect(player.speech.said.length === said, 'nobody should speak when a tune is played');
};

module.exports = suite([
    {
        name: 'a click makes the Frog drum and the Newt leap and notes who it was',
        run: async player => {
            await player.flag();
            expectTune(player, [], 'after the flag');
            const acts = watchActs(player);
            const expectSeen = watchMusicians(player);
            await perform(player, 'FNN');
            expectActs(acts, actsOf('FNN'), 'after three clicks');
            expectSeen('after three clicks');
            expectTune(player, ['Frog', 'Newt', 'Newt'], 'after three clicks');
            expectHeard(player, 'Frog', ['boom'], 'after three clicks');
            expectAt(player.sprite('Newt'), 30, -50, 'after its leaps');
        }
    },
    {
        name: 'the space key plays the tune again, one after another',
        run: async player => {
            await player.flag();
            await perform(player, 'NFFN');
            await expectReplay(player, 'NFFN');
            expectTune(player, ['Newt', 'Frog', 'Frog', 'Newt'], 'after it was played again');
        }
    },
    {
        name: 'it can be played twice and longer then',
        run: async player => {
            await player.flag();
            await perform(player, 'FN');
            await expectReplay(player, 'FN', DONE);
            await perform(player, 'N');
            await expectReplay(player, 'FNN');
        }
    },
    {
        name: 'a click on the Cricket takes the last one away',
        run: async player => {
            await player.flag();
            await perform(player, 'C');
            expectTune(player, [], 'after a click on the Cricket alone');
            await perform(player, 'FNC');
            expectTune(player, ['Frog'], 'after two musicians and the Cricket');
            await perform(player, 'CN');
            expectTune(player, ['Newt'], 'after the Cricket and the Newt');
            await expectReplay(player, 'N');
        }
    },
    {
        name: 'the green flag empties the tune and the show of the Heron is not noted',
        run: async player => {
            await player.flag();
            await perform(player, 'FN');
            expectTune(player, ['Frog', 'Newt'], 'before the flag');
            await player.flag();
            expectTune(player, [], 'after a new flag');
            await playShow(player);
            expectTune(player, [], 'after a show');
            const acts = watchActs(player);
            await player.tap('space');
            await player.ticks.pass(WHILE);
            expect(acts.length === 0, 'with an empty tune the space key should play nothing');
        }
    },
    ...playThrough()
]);
