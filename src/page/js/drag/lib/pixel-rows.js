// @ts-check
// Sets of pixels as runs: for each row of the picture its stretches, from the first pixel to the last.

/** @typedef {[number, number, number]} Run y, first x, last x */

/**
 * @param {{left: number, top: number, right: number, bottom: number}} box whole pixels, all inside
 * @param {(x: number, y: number) => boolean} has whether a pixel is in the set
 * @returns {Run[]} from top to bottom, from left to right
 */
const runsOf = ({left, top, right, bottom}, has) => {
    /** @type {Run[]} */
    const runs = [];
    for (let y = top; y <= bottom; y++) {
        let from = null;
        for (let x = left; x <= right + 1; x++) {
            const inside = x <= right && has(x, y);
            if (inside && from === null) from = x;
            if (!inside && from !== null) {
                runs.push([y, from, x - 1]);
                from = null;
            }
        }
    }
    return runs;
};

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** Distance of the first looks; what is thinner, has none of them nearby and no outline is overlooked. */
const STEP = 4;

/**
 * @param {Box} outline
 * @param {Box} part
 * @returns {boolean} whether an edge of the outline runs through the part
 */
const runsThrough = (outline, part) => {
    const isApart = outline.left > part.right || outline.right < part.left || outline.top > part.bottom || outline.bottom < part.top;
    const isAround = outline.left < part.left && outline.right > part.right && outline.top < part.top && outline.bottom > part.bottom;
    return !isApart && !isAround;
};

/**
 * As `runsOf`, for sets that are costly to ask: looks at every fourth pixel, then at all pixels around those
 * whose neighbours differ, and at all along outlines.
 * @param {Box} box whole pixels, all inside
 * @param {(x: number, y: number) => boolean} has whether a pixel is in the set
 * @param {Box[]} outlines where the set may have parts that are thinner than four pixels
 * @returns {Run[]} from top to bottom, from left to right
 */
const sparseRunsOf = (box, has, outlines) => {
    const near = outlines.filter(outline => runsThrough(outline, box));
    /** @type {Map<number, boolean>} */
    const seen = new Map();
    const ask = (/** @type {number} */ x, /** @type {number} */ y) => {
        const key = y * 65536 + x;
        let answer = seen.get(key);
        if (answer === undefined) seen.set(key, answer = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom && has(x, y));
        return answer;
    };
    const cell = (/** @type {number} */ value, /** @type {number} */ first) => first + Math.floor((value - first) / STEP) * STEP;
    /** @type {Map<number, boolean | null>} */
    const cells = new Map();
    /**
     * All looks at the corners of a cell and of the eight around it, if they agree.
     * @param {number} left
     * @param {number} top
     */
    const uniform = (left, top) => {
        const key = top * 65536 + left;
        let answer = cells.get(key);
        if (answer === undefined) {
            const cell = {left: left - 1, top: top - 1, right: left + STEP, bottom: top + STEP};
            answer = near.some(outline => runsThrough(outline, cell)) ? null : ask(left, top);
            for (let y = top - STEP; y <= top + 2 * STEP && answer !== null; y += STEP) {
                for (let x = left - STEP; x <= left + 2 * STEP; x += STEP) {
                    if (ask(x, y) !== answer) {
                        answer = null;
                        break;
                    }
                }
            }
            cells.set(key, answer);
        }
        return answer;
    };
    return runsOf(box, (x, y) => {
        const answer = uniform(cell(x, box.left), cell(y, box.top));
        return answer === null ? ask(x, y) : answer;
    });
};

module.exports = {runsOf, sparseRunsOf};
