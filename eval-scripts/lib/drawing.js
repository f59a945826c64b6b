// @ts-check
// Whether what pens drew is one wanted figure, in whatever order, direction or pieces it was drawn.

const {expect} = require('./expect.js');

/**
 * @typedef {import('./pen.js').Point} Point
 * @typedef {import('./pen.js').Line} Line
 * @typedef {{from: Point, to: Point}} Segment
 */

/** Scratch units: less is rounding of sines and cosines, and cannot be seen. */
const NEAR = 0.01;
/** By how much each part of a colour, 0 to 255, may differ: the VM keeps pen colours as hue and saturation. */
const SHADE = 2;
/** A line of less opacity has another colour on the stage than its pen has. */
const OPAQUE = 1 - SHADE / 255;

/**
 * @param {Segment} segment
 * @returns {Point[]} points on it, its ends included, one unit apart at most
 */
const pointsOn = ({from, to}) => {
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y)));
    return Array.from({length: steps + 1}, (_, i) => ({
        x: from.x + ((to.x - from.x) * i) / steps,
        y: from.y + ((to.y - from.y) * i) / steps
    }));
};

/** @param {Point} point @param {Segment} segment @returns {number} their distance in Scratch units */
const distanceTo = (point, {from, to}) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = (point.x - from.x) * dx + (point.y - from.y) * dy;
    const part = dx || dy ? Math.max(0, Math.min(1, along / (dx * dx + dy * dy))) : 0;
    return Math.hypot(point.x - from.x - part * dx, point.y - from.y - part * dy);
};

/**
 * @param {Segment[]} some
 * @param {Segment[]} others
 * @returns {Point | undefined} a point of some that is on none of the others
 */
const uncovered = (some, others) =>
    some.flatMap(pointsOn).find(point => !others.some(other => distanceTo(point, other) <= NEAR));

/** @param {string} color @returns {number[]} */
const parts = color => [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16));

/** @param {string} a @param {string} b @returns {boolean} whether they are the same but for the VM's rounding */
const sameColor = (a, b) => parts(a).every((part, i) => Math.abs(part - parts(b)[i]) <= SHADE);

/** @param {Point} point */
const show = ({x, y}) => `x ${Math.round(x * 100) / 100}, y ${Math.round(y * 100) / 100}`;

/**
 * Fails the case unless all that is drawn on the stage is one figure of straight lines.
 * @param {import('./pen.js').Pen} pen
 * @param {Point[]} corners of the figure, in turn; a closed one ends where it began
 * @param {{color: string, size: number}} ink
 */
const expectFigure = (pen, corners, {color, size}) => {
    const figure = corners.slice(1).map((to, i) => ({from: corners[i], to}));
    const drawn = [...pen.lines, ...pen.dots];
    const missing = uncovered(figure, pen.lines);
    expect(!missing, `a line is missing at ${missing && show(missing)}`);
    const extra = uncovered(drawn, figure);
    expect(!extra, `nothing should be drawn at ${extra && show(extra)}`);
    for (const mark of drawn) {
        expect(sameColor(mark.color, color), `the line should be ${color}, but is ${mark.color}`);
        const clear = Math.round(100 * (1 - mark.opacity));
        expect(mark.opacity >= OPAQUE, `the line should be ${color}, but its pen is ${clear}% transparent`);
        expect(mark.size === size, `the line should be ${size} thick, but is ${mark.size}`);
    }
};

module.exports = {expectFigure, sameColor};
