// @ts-check
// Judge of create/snail_fence: one rectangle with its colour and thickness, and how the drawing ends.

const {expectFigure} = require('./lib/drawing.js');
const {expect, expectAt, expectEqual, expectTexts} = require('./lib/expect.js');
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

/** @param {Player} player */
const said = player => player.speech.of('Snail');

/**
 * Clicks the flag and waits for the end of the drawing, however long it takes.
 * @param {Player} player
 */
const draw = async player => {
    const before = said(player).length;
    await player.flag();
    await player.ticks.until('the Snail said something', () => said(player).length > before, Infinity);
    expectTexts(said(player).slice(before), ['Done'], 'what the Snail says');
};

/**
 * Expects that the Snail rests where it began.
 * @param {Player} player
 * @param {string} when
 */
const expectAtCorner = (player, when) => {
    const snail = player.sprite('Snail');
    expectAt(snail, CORNERS[0].x, CORNERS[0].y, when);
    expect(!player.pen.isDown(snail), `its pen should be up ${when}`);
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
        name: 'it says Done at the end, and only once, and draws no more',
        run: async player => {
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
            await player.ticks.rest();
            expectFigure(player.pen, CORNERS, INK);
            expectTexts(said(player), ['Done'], 'all that the Snail says');
        }
    },
    {
        name: 'it ends at the first corner with its pen up',
        run: async player => {
            await draw(player);
            expect(player.pen.lines.length > 0, 'there should be lines when the Snail is done');
            expectAtCorner(player, 'at the end');
            await player.ticks.rest();
            expectAtCorner(player, 'some time after the end');
        }
    },
    {
        name: 'a second green flag erases the first fence and draws a new one in the same way',
        run: async player => {
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
            const {count} = player.ticks;
            await draw(player);
            expect(player.pen.lines.every(line => line.tick >= count), 'the first fence should be erased');
            expectFigure(player.pen, CORNERS, INK);
            await player.ticks.rest();
            expectFigure(player.pen, CORNERS, INK);
            expectAtCorner(player, 'after the second fence');
            expectEqual(said(player).length, 2, 'how often the Snail spoke');
        }
    },
    {
        name: 'wherever the Snail was put, no line leads from there',
        run: async player => {
            await draw(player);
            await player.ticks.rest(1);
            await player.drag('Snail', {x: 150, y: 120});
            expectAt(player.sprite('Snail'), 150, 120, 'after it was dragged away');
            await draw(player);
            expectFigure(player.pen, CORNERS, INK);
            expectAtCorner(player, 'at the end');
        }
    }
]);
