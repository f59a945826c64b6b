// @ts-check
// Judge of create/silk_shapes: three regular shapes, each alone on the stage, and how drawing ends.

const {expectFigure} = require('./lib/drawing.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const START = {x: -40, y: 60};
const SIZE = 3;
/** By key. @type {Record<string, {sides: number, length: number, color: string}>} */
const SHAPES = {
    3: {sides: 3, length: 110, color: '#b31a4d'},
    4: {sides: 4, length: 90, color: '#1a66b3'},
    6: {sides: 6, length: 55, color: '#4d8026'}
};
/** Ticks for which nothing more may be drawn. */
const WHILE = 66;
/** Scratch units that sines and cosines may cost. */
const EXACT = 0.01;

/** @param {{sides: number, length: number}} shape */
const cornersOf = ({sides, length}) => {
    const corners = [START];
    for (let i = 0; i < sides; i += 1) {
        const angle = (2 * Math.PI * i) / sides;
        const {x, y} = corners[i];
        corners.push({x: x + length * Math.cos(angle), y: y - length * Math.sin(angle)});
    }
    return corners;
};

/**
 * Expects that a shape is complete: it alone is drawn, and the Spider is where it began, with its pen up.
 * @param {Player} player
 * @param {string} key
 */
const expectShape = (player, key) => {
    const spider = player.sprite('Spider');
    expectFigure(player.pen, cornersOf(SHAPES[key]), {color: SHAPES[key].color, size: SIZE});
    const near = Math.abs(spider.x - START.x) < EXACT && Math.abs(spider.y - START.y) < EXACT;
    expect(near, `the Spider should be back at x -40, y 60, but is at x ${spider.x}, y ${spider.y}`);
    expectSeen(spider, 'when the shape is finished');
    expect(!player.pen.isDown(spider), 'its pen should be up');
};

/**
 * Presses a key, waits for the end of the drawing, however long it takes, and checks it.
 * @param {Player} player
 * @param {string} key
 */
const draw = async (player, key) => {
    const spider = player.sprite('Spider');
    const {count} = player.ticks;
    await player.tap(key);
    const done = () => {
        const near = Math.abs(spider.x - START.x) < EXACT && Math.abs(spider.y - START.y) < EXACT;
        return near && !player.pen.isDown(spider) && player.pen.lines.some(line => line.tick >= count);
    };
    await player.ticks.until(`a shape was drawn after key ${key}, with the Spider at its start and its pen up`, done, Infinity);
    await player.ticks.pass(5);
    expect(player.pen.lines.every(line => line.tick >= count), 'what was drawn before should be erased');
    expectShape(player, key);
};

module.exports = suite([
    ...Object.keys(SHAPES).map(key => ({
        name: `key ${key} draws its shape and nothing else`,
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectEqual(player.pen.lines.length + player.pen.dots.length, 0, 'the number of marks after the flag');
            await draw(player, key);
            await player.ticks.rest(WHILE);
            expectShape(player, key);
        }
    })),
    {
        name: 'each press erases the shape before, in whatever order',
        run: async player => {
            await player.flag();
            for (const key of ['6', '3', '3', '4', '6']) await draw(player, key);
        }
    },
    {
        name: 'wherever the Spider was put, no line leads from there',
        run: async player => {
            await player.flag();
            await draw(player, '4');
            await player.drag('Spider', {x: 130, y: -100});
            expectAt(player.sprite('Spider'), 130, -100, 'after it was dragged away');
            await draw(player, '3');
        }
    },
    {
        name: 'the green flag erases everything, and keys work after it',
        run: async player => {
            await player.flag();
            await draw(player, '6');
            await player.flag();
            await player.ticks.rest(WHILE);
            expectEqual(player.pen.lines.length + player.pen.dots.length, 0, 'the number of marks after the second flag');
            await draw(player, '4');
        }
    }
]);
