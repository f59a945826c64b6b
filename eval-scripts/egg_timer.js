// @ts-check
// Judge of create/egg_timer: what is said when, and when the Egg is done.

const {expect, expectEqual} = require('./lib/expect.js');
const {expectSprite, keepsCostume, putsOn} = require('./lib/sprite.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const [EGG, PROMPT] = ['Egg', 'Press space'];
const [SECOND, SLACK] = [30, 2];
const BOILING_MS = 4000;

/**
 * What was said from some text on, the same text in a row counted once.
 * @param {Player} player
 * @param {number} before number of texts that are old
 * @returns {{text: string, tick: number}[]}
 */
const saidSince = (player, before) =>
    player.speech
        .entries(EGG)
        .slice(before)
        .map(({text, tick}) => ({text: String(text), tick}))
        .filter(({text}, i, all) => i === 0 || text !== all[i - 1].text);

/**
 * Boils one Egg and checks all of it.
 * @param {Player} player
 */
const boil = async player => {
    const [before, dings] = [player.speech.of(EGG).length, player.sounds.started.length];
    const start = player.ticks.count;
    player.keys.press('space');
    await player.ticks.pass(2);
    player.keys.release('space');
    await player.ticks.pass(2);
    expectSprite(player, EGG, {costume: 'raw'}, 'after the space key');
    await putsOn(player, EGG, 'boiled', BOILING_MS);
    const took = player.ticks.count - start;
    const right = Math.abs(took - 2 * SECOND) <= 2 * SLACK;
    expect(right, `the Egg should be boiled after two seconds, not after ${took} ticks`);
    await player.ticks.pass(5);
    const said = saidSince(player, before);
    // At the very end of the second second, 2 is no mistake.
    const counted = said.filter(({text, tick}) => !(text === '2' && tick - start > 2 * SECOND - SLACK));
    expectEqual(counted.map(({text}) => text).join(', '), '0, 1, Ready', 'what it says after the space key');
    for (const [i, {text, tick}] of counted.entries()) {
        const late = tick - start - i * SECOND;
        expect(late >= -SLACK && late <= 2 * SLACK, `${text} should come after ${i} seconds, but came ${late} ticks later`);
    }
    const heard = player.sounds.started.slice(dings).map(({sound}) => sound);
    expectEqual(heard.join(', '), 'ding', 'the sounds');
};

module.exports = suite([
    {
        name: 'the flag makes it raw, and it says Press space',
        run: async player => {
            await player.flag();
            expectSprite(player, EGG, {costume: 'raw', said: [PROMPT]}, 'after the flag');
            await keepsCostume(player, EGG, 'raw', 70);
            expectSprite(player, EGG, {said: [PROMPT], heard: []}, 'without a key');
        }
    },
    {
        name: 'the space key boils it for two seconds, which are counted',
        run: async player => {
            await player.flag();
            await boil(player);
        }
    },
    {
        name: 'the seconds count from the key, not from the flag',
        run: async player => {
            await player.flag();
            await player.ticks.pass(40);
            await boil(player);
        }
    },
    {
        name: 'the next press boils another Egg',
        run: async player => {
            await player.flag();
            await boil(player);
            await keepsCostume(player, EGG, 'boiled', 20);
            await boil(player);
        }
    },
    {
        name: 'a green flag while it boils leaves it raw',
        run: async player => {
            await player.flag();
            await player.tap('space');
            await player.ticks.pass(40);
            const before = player.speech.of(EGG);
            await player.flag();
            await keepsCostume(player, EGG, 'raw', 40);
            expectSprite(player, EGG, {said: [...before, PROMPT], heard: []}, 'after the second flag');
        }
    },
    {
        name: 'a green flag after a boiled Egg starts afresh',
        run: async player => {
            await player.flag();
            await boil(player);
            await player.flag();
            expectSprite(player, EGG, {costume: 'raw'}, 'after the second flag');
            await boil(player);
        }
    }
]);
