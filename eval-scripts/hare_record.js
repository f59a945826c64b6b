// @ts-check
// Judge of extend/hare_record: every second Thistle makes the next ones faster, and the best run is kept.

const {expectNear, expectWords, WHILE} = require('./lib/base_common.js');
const {SPEED, hopOver, tumble, expectSecond, playThrough} = require('./lib/base_hare_run.js');
const {expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * @param {Player} player
 * @param {number} speed pixels a tick
 * @param {string} when completes the message
 */
const expectSpeed = async (player, speed, when) => {
    expectEqual(player.variable('speed'), speed, `speed ${when}`);
    const track = await player.motion.during(player.sprite('Thistle'), 5);
    expectSeen(player.sprite('Thistle'), when);
    expectNear(track.travelled / 5, speed, `pixels a tick of the Thistle ${when}`);
};

/**
 * A run that ends with the Thistle after the given number.
 * @param {Player} player
 * @param {number} passed
 * @param {string} words what the Hare says
 * @param {number} best what best is then
 * @param {number} [watched] ticks in which nothing more may be said
 */
const play = async (player, passed, words, best, watched = WHILE - 30) => {
    await player.flag();
    const before = player.speech.of('Hare').length;
    for (let i = 0; i < passed; i += 1) await hopOver(player);
    await tumble(player);
    expectWords(player, 'Hare', [words], `after ${passed} Thistles`, before);
    await expectSecond(player);
    await player.ticks.pass(watched);
    expectWords(player, 'Hare', [words], `some time after ${passed} Thistles`, before);
    expectEqual(player.variable('best'), best, `best after a run with ${passed} Thistles`);
};

module.exports = suite([
    {
        name: 'every second Thistle makes the next ones faster by 2',
        run: async player => {
            await player.flag();
            await expectSpeed(player, SPEED, 'after the flag');
            for (const [i, speed] of [SPEED, SPEED + 2, SPEED + 2, SPEED + 4].entries()) {
                await hopOver(player);
                await expectSpeed(player, speed, `after ${i + 1} Thistles`);
            }
        }
    },
    {
        name: 'the green flag slows the Thistles down again',
        run: async player => {
            await player.flag();
            for (let i = 0; i < 2; i += 1) await hopOver(player);
            await player.flag();
            await expectSpeed(player, SPEED, 'after the second flag');
        }
    },
    {
        name: 'a better run sets the record, and the flag keeps it',
        run: async player => {
            await play(player, 1, 'New best!', 1, 0);
            await player.flag();
            expectEqual(player.variable('best'), 1, 'best after the flag');
            await play(player, 0, 'Ouch!', 1);
        }
    },
    {
        name: 'a record is beaten by one more Thistle',
        run: async player => {
            player.data.set('best', 1);
            await play(player, 2, 'New best!', 2);
        }
    },
    ...[
        {best: 1, what: 'as good as the record'},
        {best: 5, what: 'worse than the record'}
    ].map(({best, what}) => ({
        name: `a run that is ${what} changes nothing`,
        run: async (/** @type {Player} */ player) => {
            player.data.set('best', best);
            await play(player, 1, 'Ouch!', best);
        }
    })),
    ...playThrough()
]);
