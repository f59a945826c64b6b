// @ts-check
// Geometry of boxes given by their edges, as DOM rectangles are. Nothing here knows what a box shows.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{x: number, y: number}} Point */

/**
 * Fractions of a box's sides at which it is probed, from the middle outwards: most things can be hit in
 * their middle, and the grid finds the rest even when only an edge shows.
 */
const FRACTIONS = [0.5, 0.25, 0.75, 0.1, 0.9, 0.02, 0.98];

/**
 * @param {Box} a
 * @param {Box} b
 * @returns {Box} the common part; right < left or bottom < top when there is none
 */
const intersect = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)
});

/**
 * @param {Box} a
 * @param {Box} b
 * @returns {Box} the smallest box around both
 */
const union = (a, b) => ({
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom)
});

/**
 * @param {Box} box
 * @returns {{x: number, y: number, width: number, height: number}} whole pixels, each number rounded by
 * itself as the published element lists do
 */
const toPixels = box => ({
    x: Math.round(box.left),
    y: Math.round(box.top),
    width: Math.round(box.right - box.left),
    height: Math.round(box.bottom - box.top)
});

/**
 * @param {Box} box
 * @param {number} least pixels
 * @returns {boolean} whether the box is at least that wide and high
 */
const isAtLeast = (box, least) => box.right - box.left >= least && box.bottom - box.top >= least;

/**
 * The point that stands for a box in an index action: `int(x + w/2), int(y + h/2)` of its whole pixels.
 * @param {Box} box
 * @returns {Point}
 */
const center = box => {
    const {x, y, width, height} = toPixels(box);
    return {x: Math.floor(x + width / 2), y: Math.floor(y + height / 2)};
};

/**
 * Points to probe, in whole pixels, the middle first; all of them are inside the box.
 * @param {Box} box
 * @returns {Point[]}
 */
const probes = box => {
    const within = (/** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ fraction) =>
        Math.min(Math.ceil(end) - 1, Math.max(Math.floor(start), Math.floor(start + (end - start) * fraction)));
    const points = [center(box)];
    for (const fy of FRACTIONS) {
        for (const fx of FRACTIONS) {
            points.push({x: within(box.left, box.right, fx), y: within(box.top, box.bottom, fy)});
        }
    }
    return points;
};

module.exports = {intersect, union, toPixels, isAtLeast, center, probes};
