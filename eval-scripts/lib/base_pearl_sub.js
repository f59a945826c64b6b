// @ts-check
// Steps and cases for the tasks on the base project pearl_sub: a Sub, a Pearl, a Buoy and a Crab.

const {expectGone, expectHeard, expectWords} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');

/** @typedef {import('./player.js').Player} Player */

/** Where the green flag puts the Sub; its y is the surface. */
const START = {x: -160, y: 80};
/** Where the Pearl lies before and after it is collected. */
const SHELF = {x: 190, y: 134};
/** How far an arrow key moves the Sub. */
const STROKE = 20;
/** The way up takes half a second; this leaves room for other ways to write it. */
const SURFACE_MS = 1500;

/**
 * Drops the Pearl into the sea below the Sub at its start and dives until it is collected.
 * @param {Player} player
 * @param {number} x of the Pearl; the Sub must reach it on its way down
 */
const collect = async (player, x) => {
    const [pearl, sub] = [player.sprite('Pearl'), player.sprite('Sub')];
    const before = Number(player.variable('pearls'));
    const heard = player.sounds.of('Pearl').length;
    const y = sub.y - 80;
    await player.mouse.clickAt(x, y);
    expectAt(pearl, x, y, 'after a click on the sea there');
    expectEqual(player.variable('pearls'), before, 'pearls before the Sub is there');
    await player.tap('down arrow', 4);
    expectEqual(player.variable('pearls'), before + 1, 'pearls after the Sub met one');
    expectHeard(player, 'Pearl', ['pling'], 'when it is collected', heard);
    expectAt(pearl, SHELF.x, SHELF.y, 'after it was collected');
    return {x, y};
};

/** @param {Player} player */
const surface = async player => {
    const sub = player.sprite('Sub');
    const {x} = sub;
    await player.click('Buoy');
    await player.motion.reaches(sub, {x, y: START.y}, SURFACE_MS);
};

/** Cases on what the base project does; they fail on sprites without code. */
const keeps = {
    steering: {
        name: 'the arrow keys steer the Sub, and depth tells how deep it is',
        run: async (/** @type {Player} */ player) => {
            const sub = player.sprite('Sub');
            await player.flag();
            expectAt(sub, START.x, START.y, 'after the flag');
            expectEqual(sub.rotationStyle, 'left-right', 'the rotation style of the Sub');
            await player.tap('right arrow', 3);
            expectAt(sub, START.x + 3 * STROKE, START.y, 'after three strokes to the right');
            expectEqual(sub.direction, 90, 'direction to the right');
            await player.tap('down arrow', 2);
            expectEqual(player.variable('depth'), 2 * STROKE, 'depth after two strokes down');
            await player.tap('left arrow');
            await player.tap('up arrow');
            expectAt(sub, START.x + 2 * STROKE, START.y - STROKE, 'after a stroke to the left and one up');
            expectEqual(sub.direction, -90, 'direction to the left');
            expectEqual(player.variable('depth'), STROKE, 'depth after a stroke up');
            await player.flag();
            expectAt(sub, START.x, START.y, 'after a new flag');
            expectEqual(sub.direction, 90, 'direction after a new flag');
            await player.tap('up arrow');
            expectAt(sub, START.x, START.y, 'at the surface, after a press of the up arrow key');
        }
    },
    collecting: {
        name: 'a Pearl dropped with the mouse is collected by the Sub',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectEqual(player.variable('pearls'), 0, 'pearls after the flag');
            await collect(player, START.x);
            await collect(player, START.x + 10);
            await player.mouse.clickAt(60, -40);
            await player.flag();
            expectEqual(player.variable('pearls'), 0, 'pearls after a new flag');
            expectAt(player.sprite('Pearl'), SHELF.x, SHELF.y, 'after a new flag');
            await player.click('Crab');
            expectAt(player.sprite('Pearl'), SHELF.x, SHELF.y, 'after a click on the Crab');
        }
    },
    surfacing: {
        name: 'the Buoy brings the Sub up, and a click makes it say where it is',
        run: async (/** @type {Player} */ player) => {
            const sub = player.sprite('Sub');
            await player.flag();
            await player.tap('right arrow', 2);
            await player.tap('down arrow', 4);
            await player.click('Sub');
            const x = START.x + 2 * STROKE;
            expectWords(player, 'Sub', [`x: ${x} y: 0`], 'after a click on it');
            await expectGone(player, 'Sub', 1);
            const track = player.motion.watch(sub);
            const from = player.ticks.count;
            await surface(player);
            expectAt(sub, x, START.y, 'at the surface');
            // The click itself takes some ticks.
            const ticks = player.ticks.count - from;
            expect(ticks >= 15 && ticks <= 26, `the Buoy should bring the Sub up in half a second, not in ${ticks} ticks`);
            track.expectSeen('on its way up');
            expect(track.longestStep < START.y / 2, 'the Sub should glide up, not jump');
        }
    },
    crab: {
        name: 'the Crab follows the mouse along the ground',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            for (const [x, y] of [
                [100, 40],
                [-120, 40],
                [-120, -60],
                [30, 150]
            ]) {
                player.mouse.moveTo(x, y);
                await player.ticks.pass(3);
                expectAt(player.sprite('Crab'), x, -150, `with the mouse at (${x}, ${y})`);
            }
        }
    }
};

/** All that the base does. */
const playThrough = [keeps.steering, keeps.collecting, keeps.surfacing, keeps.crab];

module.exports = {START, STROKE, SHELF, collect, surface, playThrough};
