// @ts-check
// Judge of create/{{ id }}: the flag puts the sprite at its start and makes it greet, the space key moves it on.

const {expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const SPRITE = '{{ sprite }}';

/**
 * Clicks the flag and checks what it does.
 * @param {Player} player
 */
const start = async player => {
    const before = player.speech.of(SPRITE).length;
    await player.flag();
    expectAt(player.sprite(SPRITE), -120, -60, 'after the flag');
    expectEqual(player.speech.of(SPRITE).slice(before).join(' / '), 'Hello!', 'what it says after the flag');
};

module.exports = suite([
    {
        name: 'the green flag puts it at its start, and it says hello',
        run: async player => {
            await start(player);
            await player.ticks.always('it stays there', () => player.sprite(SPRITE).x === -120, 15);
        }
    },
    {
        name: 'each press of the space key moves it 20 steps to the right',
        run: async player => {
            await start(player);
            for (let presses = 1; presses <= 3; presses += 1) {
                await player.tap('space');
                expectAt(player.sprite(SPRITE), -120 + 20 * presses, -60, `after ${presses} presses`);
            }
        }
    },
    {
        name: 'a second green flag starts afresh',
        run: async player => {
            await start(player);
            await player.tap('space', 2);
            await start(player);
            await player.tap('space');
            expectAt(player.sprite(SPRITE), -100, -60, 'after one more press');
        }
    }
]);
