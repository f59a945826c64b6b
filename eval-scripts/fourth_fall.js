// @ts-check
// Judge of debug/fourth_fall: three falls end the game, and lives ends at 0.

const {expectWords} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {letFall, playThrough} = require('./lib/base_otter_shell.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * Plays until the third fall; the game goes on before it.
 * @param {Player} player
 */
const fallThrice = async player => {
    for (const lives of [2, 1, 0]) {
        expect(!player.sprite('Gull').visible, `the Gull should be hidden while there are ${lives + 1} lives`);
        await letFall(player);
        expectEqual(player.variable('lives'), lives, 'lives');
    }
    await player.ticks.pass(3);
};

module.exports = suite([
    {
        name: 'the Gull comes with the third fall',
        run: async player => {
            await player.flag();
            await fallThrice(player);
            expectSeen(player.sprite('Gull'), 'after the third fall');
            expectWords(player, 'Gull', ['Game over!'], 'after the third fall');
            expectEqual(player.sounds.of('Gull').join(), 'cry', 'the sounds of the Gull');
        }
    },
    {
        name: 'the Shell rests then and lives stays at 0',
        run: async player => {
            await player.flag();
            await fallThrice(player);
            const track = await player.motion.during(player.sprite('Shell'), 45);
            expectSeen(player.sprite('Shell'), 'when the game is over');
            expect(!track.moved, 'the Shell should rest when the game is over');
            expectEqual(player.variable('lives'), 0, 'lives at the end');
        }
    },
    {
        name: 'the game goes on after the first and the second fall',
        run: async player => {
            await player.flag();
            for (const fall of [1, 2]) {
                await letFall(player);
                const track = await player.motion.during(player.sprite('Shell'), 10);
                expectSeen(player.sprite('Shell'), `after fall ${fall}`);
                expect(track.travelled > 60, `the Shell should fall again after fall ${fall}`);
                expect(player.speech.of('Gull').length === 0, `the Gull should say nothing after fall ${fall}`);
            }
        }
    },
    {
        name: 'a new game has three lives again and ends as the first',
        run: async player => {
            for (const game of [1, 2]) {
                await player.flag();
                expectEqual(player.variable('lives'), 3, `lives at the start of game ${game}`);
                await fallThrice(player);
                expectEqual(player.speech.of('Gull').length, game, 'how often the Gull has spoken');
            }
        }
    },
    ...playThrough
]);
