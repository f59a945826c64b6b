// @ts-check
// Judge of extend/pearl_log: each place where a Pearl was collected is logged and told on a key.

const {START, collect, surface, playThrough} = require('./lib/base_pearl_sub.js');
const {WHILE, bubblesOf, expectWords} = require('./lib/base_common.js');
const {expectEqual, expectTexts} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/**
 * Presses the l key and checks what is said.
 * @param {Player} player
 * @param {string} text
 * @param {number} [watched] ticks in which nothing else may be said
 */
const ask = async (player, text, watched = WHILE) => {
    const before = bubblesOf(player, 'Sub').length;
    await player.tap('l');
    await player.ticks.pass(watched);
    expectWords(player, 'Sub', [text], 'after a press of the l key', before);
};

/** @param {Player} player @param {string[]} places */
const expectLog = (player, places) => {
    expectTexts(player.data.list('log'), places, 'log');
};

module.exports = suite([
    {
        name: 'the log is empty until a Pearl is collected, and the Sub says so',
        run: async player => {
            await player.flag();
            expectLog(player, []);
            await ask(player, 'nothing yet');
            await player.mouse.clickAt(60, 20);
            await player.mouse.clickAt(100, -40);
            await player.tap('right arrow');
            expectLog(player, []);
        }
    },
    {
        name: 'each collected Pearl is added with its place in the sea',
        run: async player => {
            await player.flag();
            const places = [];
            for (const x of [START.x, START.x + 13, START.x - 10]) {
                if (places.length === 2) await surface(player);
                const place = await collect(player, x);
                places.push(`${place.x},${place.y}`);
                expectLog(player, places);
            }
            expectEqual(player.speech.of('Sub').length, 0, 'texts before the l key is pressed');
        }
    },
    {
        name: 'the l key tells the last place',
        run: async player => {
            await player.flag();
            const first = await collect(player, START.x + 7);
            await ask(player, `${first.x},${first.y}`);
            const second = await collect(player, START.x - 4);
            await player.tap('k');
            expectEqual(player.speech.of('Sub').length, 1, 'texts after another key');
            await ask(player, `${second.x},${second.y}`);
        }
    },
    {
        name: 'the green flag empties the log',
        run: async player => {
            await player.flag();
            await collect(player, START.x);
            await player.flag();
            expectLog(player, []);
            await ask(player, 'nothing yet');
            const {x, y} = await collect(player, START.x + 20);
            expectLog(player, [`${x},${y}`]);
        }
    },
    ...playThrough
]);
