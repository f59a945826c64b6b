// @ts-check
// Judge of create/porch_lantern: the flag puts the light out, each click changes it over and is heard.

const {expect, expectEqual} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * @param {Player} player
 * @param {string} costume
 * @param {number} sounds
 * @param {string} when
 */
const expectLantern = (player, costume, sounds, when) => {
    expectEqual(costumeOf(player.sprite('Lantern')), costume, `the Lantern's costume ${when}`);
    expectEqual(player.sounds.of('Lantern').length, sounds, `the number of sounds ${when}`);
};

/**
 * Clicks and checks after each click, from a dark Lantern on.
 * @param {Player} player
 * @param {number} clicks
 */
const clickThrough = async (player, clicks) => {
    const before = player.sounds.of('Lantern').length;
    for (let i = 1; i <= clicks; i += 1) {
        await player.click('Lantern');
        expectLantern(player, i % 2 ? 'lit' : 'dark', before + i, `after ${i} clicks`);
    }
};

module.exports = suite([
    {
        name: 'the green flag makes the Lantern dark, without a sound',
        run: async player => {
            await player.flag();
            expectLantern(player, 'dark', 0, 'after the flag');
            await player.ticks.always('the Lantern is dark', () => costumeOf(player.sprite('Lantern')) === 'dark', 15);
            expectLantern(player, 'dark', 0, 'after half a second');
        }
    },
    {
        name: 'the first click lights it, and the sound is click',
        run: async player => {
            await player.flag();
            await clickThrough(player, 1);
            expectEqual(player.sounds.of('Lantern')[0], 'click', 'the sound');
            await player.ticks.always('the Lantern is lit', () => costumeOf(player.sprite('Lantern')) === 'lit', 15);
            expectLantern(player, 'lit', 1, 'half a second after the click');
        }
    },
    {
        name: 'five clicks change it five times',
        run: async player => {
            await player.flag();
            await clickThrough(player, 5);
        }
    },
    {
        name: 'a click beside the Lantern does nothing',
        run: async player => {
            await player.flag();
            await clickThrough(player, 1);
            await player.mouse.clickStage();
            expectLantern(player, 'lit', 1, 'after a click beside it');
            await player.click('Lantern');
            expectLantern(player, 'dark', 2, 'after a click on it');
        }
    },
    {
        name: 'a second green flag puts the light out, and clicks work as before',
        run: async player => {
            await player.flag();
            await clickThrough(player, 3);
            await player.flag();
            expectLantern(player, 'dark', 3, 'after the second flag');
            await clickThrough(player, 2);
            expect(player.sounds.of('Lantern').every(sound => sound === 'click'), 'all sounds should be click');
        }
    }
]);
