// @ts-check
// Judge of debug/cruel_starfish: the Reef costs lives, the Starfish does not.

const {expectWords} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {START, keepUp, letFall, playThrough} = require('./lib/base_otter_shell.js');
const {expectSeen, isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** The Otter's first stroke sends the Shell to the Starfish; twice as long as that takes. */
const HIT_MS = 4000;
/** Ticks that the Starfish stays away after a hit, and a few more. */
const AWAY = 65;

/**
 * Plays well until the Shell hits the Starfish.
 * @param {import('./lib/player.js').Player} player
 */
const hitStarfish = async player => {
    await player.flag();
    keepUp(player);
    const starfish = player.sprite('Starfish');
    await player.ticks.until('the Shell hit the Starfish', () => !starfish.visible, HIT_MS);
    return starfish;
};

module.exports = suite([
    {
        name: 'a hit on the Starfish gives 5 points and costs no life',
        run: async player => {
            await hitStarfish(player);
            await player.ticks.pass(3);
            expectEqual(player.variable('lives'), 3, 'lives after the hit');
            expectEqual(player.variable('score'), 6, 'score after one bounce and one hit');
        }
    },
    {
        name: 'the Shell flies on after the hit and the Starfish comes back',
        run: async player => {
            const starfish = await hitStarfish(player);
            const track = player.motion.watch(player.sprite('Shell'));
            await player.ticks.until('the Starfish came back', () => isSeen(starfish), (AWAY * 1000) / 30);
            expectSeen(player.sprite('Shell'), 'when the Starfish is back');
            expect(track.longestStep < 12, 'the Shell should fly on after the hit and not start again');
            expectEqual(player.variable('lives'), 3, 'lives after the hit');
        }
    },
    {
        name: 'each touch of the Reef costs a life and the Shell starts again',
        run: async player => {
            await player.flag();
            for (const lives of [2, 1]) {
                await letFall(player);
                expectEqual(player.variable('lives'), lives, 'lives after a fall');
                expectEqual(player.sounds.of('Shell').filter(sound => sound === 'splash').length, 3 - lives, 'splashes');
                await player.ticks.pass(2);
                expectSeen(player.sprite('Shell'), 'when it starts again');
                expect(player.sprite('Shell').y > START.y - 30, 'the Shell should start again from above');
            }
            expectEqual(player.variable('score'), 0, 'score without a bounce');
        }
    },
    {
        name: 'the game is over after the third touch',
        run: async player => {
            await player.flag();
            for (let fall = 1; fall <= 3; fall += 1) {
                expect(player.speech.of('Gull').length === 0, 'the Gull should wait for the third touch');
                await letFall(player);
            }
            await player.ticks.pass(3);
            expectWords(player, 'Gull', ['Game over!'], 'after the third touch');
        }
    },
    ...playThrough
]);
