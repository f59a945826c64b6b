// @ts-check
// Judge of create/snail_fence: one rectangle with its colour and thickness, and how the drawing ends.

const {expectFigure} = require('./lib/drawing.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const CORNERS = [
    {x: -100, y: -50},
    {x: 60, y: -50},
    {x: 60, y: 40},
    {x: -100, y: 40},
    {x: -100, y: -50}
];
const INK = {color: '#cc3300', size: 5};
/** Longer than anybody would make the snail take. */
const DRAWING_MS = 5000;

/**
 * Clicks the flag and waits for the end of the drawing.
 * @param {Player} player
 */
const draw = async player => {
    const before = player.speech.of('Snail').length;
    await player.flag();
    expectEqual(await player.speech.next('Snail', DRAWING_MS, before), 'Done', 'what the Snail says');
};

module.exports = suite([
    {
        name: 'the Snail draws the rectangle and nothing else',
        run: async player => {
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
        }
    },
    {
        name: 'it says Done at the end, and only once',
        run: async player => {
            await draw(player);
            const {lines} = player.pen;
            expect(lines.length > 0, 'there should be lines when the Snail is done');
            const drawn = lines.length;
            await player.ticks.pass(20);
            expectEqual(player.pen.lines.length, drawn, 'the number of lines after Done');
            expectEqual(player.speech.of('Snail').length, 1, 'the number of things it said');
        }
    },
    {
        name: 'it ends at the first corner with its pen up',
        run: async player => {
            await draw(player);
            const snail = player.sprite('Snail');
            expect(player.pen.lines.length > 0, 'there should be lines when the Snail is done');
            expectAt(snail, CORNERS[0].x, CORNERS[0].y, 'at the end');
            expect(!player.pen.isDown(snail), 'its pen should be up at the end');
        }
    },
    {
        name: 'a second green flag erases the first fence and draws a new one',
        run: async player => {
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
            const {count} = player.ticks;
            await draw(player);
            expect(player.pen.lines.every(line => line.tick >= count), 'the first fence should be erased');
            expectFigure(player.pen, CORNERS, INK);
        }
    },
    {
        name: 'wherever the Snail was put, no line leads from there',
        run: async player => {
            await draw(player);
            await player.drag('Snail', {x: 150, y: 120});
            expectAt(player.sprite('Snail'), 150, 120, 'after it was dragged away');
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
            expectAt(player.sprite('Snail'), CORNERS[0].x, CORNERS[0].y, 'at the end');
        }
    }
]);
