// @ts-check
// Judge of extend/tank_runs_dry: flowing water empties the Tank, an empty Tank stops the flow, the Bucket fills it.

const {WHILE} = require('./lib/base_common.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {completePump, expectWater, playThrough} = require('./lib/base_flower_pump.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const FULL = 6;
const BUCKET = {x: 100, y: -140};
/** Ticks in which the water falls by 1, with some for the program's own loop. */
const [SHORTEST, LONGEST] = [14, 19];
/** Until a full Tank is empty. */
const EMPTY_MS = 4000;

/**
 * Lets the Tank run dry.
 * @param {Player} player
 */
const runDry = async player => {
    await completePump(player);
    await player.ticks.until('the Tank was empty', () => Number(player.variable('water')) <= 0, EMPTY_MS);
};

/** @param {Player} player */
const pourBucket = player => player.drag('Bucket', {x: -200, y: -20}, {steps: 2});

/** @param {Player} player */
const bucketGoesBack = async player => {
    const isBack = () => {
        const {x, y} = player.sprite('Bucket');
        return Math.abs(x - BUCKET.x) < 1e-6 && Math.abs(y - BUCKET.y) < 1e-6;
    };
    await player.ticks.until('the Bucket went back', isBack);
    expectSeen(player.sprite('Bucket'), 'after it went back');
};

module.exports = suite([
    {
        name: 'the Tank holds 6 and keeps them while no water flows',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('water'), FULL, 'water after the flag');
            await player.click('Valve');
            await player.ticks.pass(40);
            expectEqual(player.variable('water'), FULL, 'water with the Valve open and no pipes');
            expectAt(player.sprite('Bucket'), BUCKET.x, BUCKET.y, 'after the flag');
        }
    },
    {
        name: 'flowing water takes 1 every half second, down to 0',
        run: async player => {
            await player.flag();
            const water = player.data.watch('water');
            await runDry(player);
            await player.ticks.pass(20);
            expectEqual(water.values.slice(-FULL - 1).join(' '), '6 5 4 3 2 1 0', 'the values of water');
            const ticks = water.entries.slice(-FULL).map(({tick}) => tick);
            for (let i = 1; i < FULL; i += 1) {
                const between = ticks[i] - ticks[i - 1];
                expect(between >= SHORTEST && between <= LONGEST, `water should fall every half second, not after ${between} ticks`);
            }
        }
    },
    {
        name: 'a flow that ends before half a second is over takes nothing',
        run: async player => {
            await player.flag();
            await completePump(player);
            await player.ticks.until('the water fell', () => Number(player.variable('water')) < FULL, 1000);
            for (let i = 0; i < 2; i += 1) {
                const before = player.variable('water');
                await player.click('Valve');
                await player.ticks.pass(WHILE);
                expectEqual(player.variable('water'), before, 'water when the Valve was shut in time');
                await player.click('Valve');
            }
            const {count} = player.ticks;
            const before = player.variable('water');
            await player.ticks.until('the water fell again', () => Number(player.variable('water')) < Number(before), 1000);
            expect(player.ticks.count - count >= SHORTEST - 6, 'half a second should begin anew with the next flow');
        }
    },
    {
        name: 'an empty Tank stops the flow and the Bucket brings it back',
        run: async player => {
            await player.flag();
            await runDry(player);
            await expectWater(player, false, 'with an empty Tank');
            await pourBucket(player);
            expect(Number(player.variable('water')) >= FULL - 1, 'the Bucket should fill the Tank');
            await bucketGoesBack(player);
            await expectWater(player, true, 'with new water');
        }
    },
    {
        name: 'the Bucket fills a Tank that is not empty up to 6',
        run: async player => {
            await player.flag();
            await completePump(player);
            await player.ticks.until('the water fell to 4', () => Number(player.variable('water')) === 4, 2000);
            await player.click('Valve');
            await player.ticks.pass(20);
            const rest = player.variable('water');
            expectEqual(rest, 4, 'water when the Valve was shut in time');
            await player.ticks.pass(WHILE);
            expectEqual(player.variable('water'), rest, 'water while the Valve is shut');
            await pourBucket(player);
            expectEqual(player.variable('water'), FULL, 'water after the Bucket');
            await bucketGoesBack(player);
        }
    },
    {
        name: 'a Bucket dropped elsewhere fills nothing and lies where it was dropped, until the flag',
        run: async player => {
            await player.flag();
            await completePump(player);
            await player.ticks.until('the water fell', () => Number(player.variable('water')) < FULL, 1000);
            await player.click('Valve');
            await player.ticks.pass(20);
            const rest = player.variable('water');
            await player.drag('Bucket', {x: 0, y: 120}, {steps: 2});
            expectEqual(player.variable('water'), rest, 'water after the Bucket was dropped beside the Tank');
            expectAt(player.sprite('Bucket'), 0, 120, 'where it was dropped');
            await player.flag();
            expectEqual(player.variable('water'), FULL, 'water after a new flag');
            expectAt(player.sprite('Bucket'), BUCKET.x, BUCKET.y, 'after a new flag');
        }
    },
    ...playThrough
]);
