// @ts-check
// Judge of extend/sub_battery: strokes drain the battery, an empty one stops the Sub, the surface charges it.

const {START, STROKE, surface, playThrough} = require('./lib/base_pearl_sub.js');
const {WHILE, expectWords} = require('./lib/base_common.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const FULL = 8;
const ARROWS = ['up arrow', 'left arrow', 'right arrow', 'down arrow'];

/**
 * Uses the battery up, with two strokes to the right and the others down.
 * @param {Player} player
 */
const drain = async player => {
    await player.tap('right arrow', 2);
    await player.tap('down arrow', FULL - 2);
    expectEqual(player.variable('battery'), 0, `battery after ${FULL} presses`);
    expectAt(player.sprite('Sub'), START.x + 2 * STROKE, START.y - (FULL - 2) * STROKE, `after ${FULL} presses`);
    expectEqual(player.speech.of('Sub').length, 0, 'texts before the battery is empty');
};

module.exports = suite([
    {
        name: 'each press of an arrow key takes 1, wherever the Sub is',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('battery'), FULL, 'battery after the flag');
            for (const [i, key] of ['up arrow', 'left arrow', 'right arrow', 'down arrow', 'up arrow', 'up arrow'].entries()) {
                await player.tap(key);
                expectEqual(player.variable('battery'), FULL - 1 - i, `battery after ${i + 1} presses`);
                expectEqual(player.sprite('Sub').direction, key === 'left arrow' ? -90 : 90, `direction after ${key}`);
            }
            expectAt(player.sprite('Sub'), START.x, START.y, 'after a stroke in each direction and two presses at the surface');
        }
    },
    ...ARROWS.map(key => ({
        name: `an empty battery stops the Sub: ${key}`,
        run: async (/** @type {Player} */ player) => {
            const sub = player.sprite('Sub');
            await player.flag();
            await drain(player);
            const {x, y, direction} = sub;
            await player.tap(key);
            expectAt(sub, x, y, 'with an empty battery');
            expectEqual(sub.direction, direction, 'direction with an empty battery');
            expectEqual(player.variable('battery'), 0, 'battery after one more press');
            await player.ticks.pass(WHILE);
            expectWords(player, 'Sub', ['Empty!'], 'after one press with an empty battery');
            await player.tap(key);
            expectWords(player, 'Sub', ['Empty!', 'Empty!'], 'after two presses with an empty battery');
        }
    })),
    {
        name: 'the battery is charged at the surface, not on the way, and lasts as long as the first',
        run: async player => {
            const sub = player.sprite('Sub');
            await player.flag();
            await drain(player);
            const early = player.ticks.observe(() => {
                const charged = Number(player.variable('battery')) > 0;
                if (sub.y < START.y) expect(!charged, 'the battery should not be charged before the Sub has arrived');
            });
            await surface(player);
            await player.ticks.pass(2);
            early();
            expectEqual(player.variable('battery'), FULL, 'battery at the surface');
            await player.tap('left arrow', 2);
            await player.tap('down arrow', FULL - 2);
            expectAt(sub, START.x, START.y - (FULL - 2) * STROKE, 'after a second dive');
            expectEqual(sub.direction, -90, 'direction after a second dive');
            expectEqual(player.speech.of('Sub').length, 0, 'texts before the battery is empty again');
        }
    },
    {
        name: 'the green flag charges the battery',
        run: async player => {
            await player.flag();
            await player.tap('down arrow', 3);
            await player.flag();
            expectEqual(player.variable('battery'), FULL, 'battery after the second flag');
            await player.tap('down arrow');
            expectAt(player.sprite('Sub'), START.x, START.y - STROKE, 'after the second flag and a stroke down');
        }
    },
    ...playThrough
]);
