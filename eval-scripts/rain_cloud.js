// @ts-check
// Judge of extend/rain_cloud: rain waters the Flower as the pump does, and each bloom counts once.

const {WHILE, expectHeard, expectWords} = require('./lib/base_common.js');
const {expectEqual} = require('./lib/expect.js');
const {completePump, expectWater, playThrough, takeAway} = require('./lib/base_flower_pump.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const THANKS = 'Thank you, Cloud!';

/**
 * @param {Player} player
 * @param {number} wanted
 * @param {string} when
 */
const expectBlooms = (player, wanted, when) => expectEqual(player.variable('blooms'), wanted, `blooms ${when}`);

/** @param {Player} player @param {boolean} rains @param {string} when */
const expectCloud = (player, rains, when) => {
    const cloud = player.sprite('Cloud');
    expectEqual(costumeOf(cloud), rains ? 'rain' : 'white', `the Cloud's costume ${when}`);
    expectSeen(cloud, when);
};

module.exports = suite([
    {
        name: 'each click turns the rain on and off, and the flag turns it off',
        run: async player => {
            await player.flag();
            expectCloud(player, false, 'after the flag');
            for (const rains of [true, false, true]) {
                await player.click('Cloud');
                expectCloud(player, rains, 'after a click');
            }
            await player.flag();
            expectCloud(player, false, 'after a new flag');
            await expectWater(player, false, 'after a new flag');
        }
    },
    {
        name: 'rain waters the Flower without any pipe and each bloom counts',
        run: async player => {
            await player.flag();
            expectBlooms(player, 0, 'after the flag');
            for (const blooms of [1, 2]) {
                await player.click('Cloud');
                await expectWater(player, true, 'while it rains');
                expectBlooms(player, blooms, `after rain number ${blooms}`);
                await player.click('Cloud');
                await expectWater(player, false, 'after the rain');
                expectBlooms(player, blooms, `after the end of rain number ${blooms}`);
            }
            expectWords(player, 'Flower', [], 'before the third bloom');
            expectHeard(player, 'Flower', ['harp', 'harp'], 'after two blooms');
        }
    },
    {
        name: 'with the pump at work rain makes no difference and no new bloom',
        run: async player => {
            await player.flag();
            await completePump(player);
            await expectWater(player, true, 'with the pump at work');
            for (const rains of [true, false]) {
                await player.click('Cloud');
                expectCloud(player, rains, 'after a click');
                await expectWater(player, true, 'with the pump at work and a click on the Cloud');
            }
            expectBlooms(player, 1, 'with the pump at work all the time');
            await takeAway(player, 'Steel Pipe');
            await expectWater(player, false, 'without the pump and rain');
        }
    },
    {
        name: 'rain goes on watering when the pump stops',
        run: async player => {
            await player.flag();
            await player.click('Cloud');
            await expectWater(player, true, 'while it rains');
            await completePump(player);
            await player.click('Valve');
            await expectWater(player, true, 'while it rains and the Valve is shut again');
            expectBlooms(player, 1, 'in one rain');
            await player.click('Cloud');
            await expectWater(player, false, 'with the Valve shut and no rain');
        }
    },
    {
        name: 'the Flower thanks at its third bloom and at no other one, up to the seventh',
        run: async player => {
            await player.flag();
            for (let blooms = 1; blooms <= 7; blooms += 1) {
                await player.click('Cloud');
                await expectWater(player, true, 'while it rains');
                expectBlooms(player, blooms, `in rain ${blooms}`);
                expectWords(player, 'Flower', blooms < 3 ? [] : [THANKS], `in rain ${blooms}`);
                await player.click('Cloud');
                await expectWater(player, false, 'after the rain');
            }
            await player.ticks.pass(WHILE);
            expectWords(player, 'Flower', [THANKS], 'in the end');
        }
    },
    {
        name: 'the flag starts to count anew, and the third bloom is thanked again',
        run: async player => {
            for (const game of [1, 2]) {
                await player.flag();
                expectBlooms(player, 0, `after flag ${game}`);
                for (const blooms of [1, 2, 3]) {
                    expectWords(player, 'Flower', Array(game - 1).fill(THANKS), `before bloom ${blooms} of game ${game}`);
                    await player.click('Cloud');
                    await expectWater(player, true, 'while it rains');
                    await player.click('Cloud');
                    if (blooms < 3) await expectWater(player, false, 'after the rain');
                }
                expectBlooms(player, 3, 'after three rains');
                expectWords(player, 'Flower', Array(game).fill(THANKS), `after game ${game}`);
            }
            await player.ticks.pass(WHILE);
            expectWords(player, 'Flower', [THANKS, THANKS], 'in the end');
        }
    },
    ...playThrough
]);
