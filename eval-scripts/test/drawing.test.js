// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {expectFigure, sameColor} = require('../lib/drawing.js');

const INK = {color: '#cc3300', size: 2};
const CORNER = [
    {x: 0, y: 0},
    {x: 10, y: 0},
    {x: 10, y: 20}
];

/**
 * @param {number[][]} lines
 * @param {number[][]} [dots]
 * @param {object} [ink]
 * @returns {any} a pen that drew them
 */
const penWith = (lines, dots = [], ink = INK) => ({
    lines: lines.map(([x0, y0, x1, y1]) => ({from: {x: x0, y: y0}, to: {x: x1, y: y1}, opacity: 1, ...ink})),
    dots: dots.map(([x, y]) => ({from: {x, y}, to: {x, y}, opacity: 1, ...ink}))
});

test('pieces, order, direction and repetition make no difference', () => {
    expectFigure(penWith([[0, 0, 10, 0], [10, 0, 10, 20]], [[0, 0]]), CORNER, INK);
    expectFigure(penWith([[10, 20, 10, 5], [10, 5, 10, 1e-13], [6, 0, 0, 0], [10, 0, 2, 0], [0, 0, 3, 0]]), CORNER, INK);
});

test('gaps, strays, other colours, other sizes and transparent lines are told', () => {
    const whole = [[0, 0, 10, 0], [10, 0, 10, 20]];
    const failing = (/** @type {any} */ pen, /** @type {RegExp} */ message) =>
        assert.throws(() => expectFigure(pen, CORNER, INK), message);
    failing(penWith([]), /missing at x 0, y 0/);
    failing(penWith([[0, 0, 10, 0], [10, 0, 10, 18]]), /missing at x 10, y 19/);
    failing(penWith([...whole, [10, 20, 10, 22]]), /nothing should be drawn at x 10, y 21/);
    failing(penWith(whole, [[4, 4]]), /nothing should be drawn at x 4, y 4/);
    failing(penWith(whole, [], {color: '#0033cc', size: 2}), /should be #cc3300, but is #0033cc/);
    failing(penWith(whole, [], {color: '#cb3300', size: 3}), /should be 2 thick, but is 3/);
    failing(penWith(whole, [], {...INK, opacity: 0}), /should be #cc3300, but its pen is 100% transparent/);
});

test('colours may be off by rounding', () => {
    assert.ok(sameColor('#cc3300', '#CB3201'));
    assert.ok(!sameColor('#cc3300', '#cc3700'));
});
