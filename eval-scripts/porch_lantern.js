// @ts-check
// Judge of create/porch_lantern: the flag puts the light out, each click changes it over and is heard.

const {expectTexts} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen, isThere} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** Ticks for which nothing may change by itself. */
const WHILE = 66;

/** @param {Player} player */
const lantern = player => player.sprite('Lantern');

/**
 * @param {Player} player
 * @param {string} costume
 * @param {number} sounds
 * @param {string} when
 */
const expectLantern = (player, costume, sounds, when) => {
    expectTexts([costumeOf(lantern(player))], [costume], `the Lantern's costume ${when}`);
    expectSeen(lantern(player), when);
    expectTexts(player.sounds.started.map(({sound}) => sound), Array(sounds).fill('click'), `the sounds ${when}`);
};

/**
 * Watches that nothing changes for more than two seconds.
 * @param {Player} player
 * @param {string} costume
 * @param {number} sounds
 */
const staysSo = async (player, costume, sounds) => {
    const same = () => costumeOf(lantern(player)) === costume && isThere(lantern(player));
    await player.ticks.always(`the Lantern is seen to be ${costume}`, same, WHILE);
    expectLantern(player, costume, sounds, 'some time later');
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
            await staysSo(player, 'dark', 0);
        }
    },
    {
        name: 'the first click lights it, and the sound is click',
        run: async player => {
            await player.flag();
            await clickThrough(player, 1);
            await staysSo(player, 'lit', 1);
        }
    },
    {
        name: 'six clicks change it six times',
        run: async player => {
            await player.flag();
            await clickThrough(player, 6);
            await staysSo(player, 'dark', 6);
        }
    },
    {
        name: 'a click beside the Lantern does nothing, and neither do keys or the pointer',
        run: async player => {
            await player.flag();
            await clickThrough(player, 1);
            await player.mouse.clickStage();
            expectLantern(player, 'lit', 1, 'after a click beside it');
            for (const key of ['space', 'up arrow', 'a']) await player.tap(key);
            expectLantern(player, 'lit', 1, 'after some keys');
            player.mouse.moveTo(lantern(player).x, lantern(player).y);
            await player.ticks.pass(5);
            expectLantern(player, 'lit', 1, 'with the pointer on it');
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
            await staysSo(player, 'dark', 3);
            await clickThrough(player, 2);
            await player.flag();
            expectLantern(player, 'dark', 5, 'after a flag when it was dark');
            await clickThrough(player, 1);
        }
    }
]);
