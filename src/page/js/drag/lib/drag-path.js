// @ts-check
// The pointer positions of a drag, as the driver's drag_and_drop makes them. The rules come with the call, so
// that they are written down once, in the driver.

/**
 * How a drag travels: length of the first move in pixels, pixels that one further move covers at most as long as
 * their number allows, and that number's limits.
 * @typedef {{threshold: number, stride: number, fewest: number, most: number}} PathRules
 */

/**
 * @param {PathRules} rules how a drag travels
 * @param {number} dx pixels from the press to the release, to the right
 * @param {number} dy and down
 * @param {number} [scale] pixels of the unit that is wanted
 * @returns {{dx: number, dy: number}[]} the offset from the press of each move, in order, in that unit
 */
const dragPath = ({threshold, stride, fewest, most}, dx, dy, scale = 1) => {
    const distance = Math.hypot(dx, dy);
    const at = (/** @type {number} */ share) => ({dx: dx * share / scale, dy: dy * share / scale});
    if (distance === 0) return [at(1), at(1)];
    let moves = fewest;
    while (moves < most && moves * stride < distance) moves++;
    const path = [at(threshold / distance)];
    for (let step = 1; step <= moves; step++) path.push(at(step / (moves + 1)));
    path.push(at(1), at(1));
    return path;
};

module.exports = {dragPath};
