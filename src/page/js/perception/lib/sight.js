// @ts-check
// How much of each block can be seen: shares of its own area, and which letters of a text. Pure: what lies at a
// point is asked of the caller.

const {intersect} = require('../../page/lib/boxes');

/** @typedef {import('../../page/lib/boxes').Box} Box */
/**
 * What is at a point: the blocks there from top to bottom, by number; -1 for anything else that is opaque.
 * @typedef {(x: number, y: number) => number[]} Stack
 */
/**
 * A block's own box and the blocks around it, by number, inner first.
 * @typedef {{box: Box, ancestors: number[]}} Shape
 */

/** Pixels between two points of the grid that areas are counted on. */
const STEP = 3;
/** Where in its box a letter is looked at, as fractions of width and height: most of its ink is there. */
const ACROSS = [0.2, 0.5, 0.8];
const DOWN = [0.35, 0.5, 0.65];

/** What is known of a block's area in square pixels: all of its own within the view, what is seen of that, and what is seen with nothing else around. */
/** @typedef {{area: number, seen: number, patch: number}} Share */

/**
 * Blocks in slots and mouths are no part of the block around them, so what they cover does not count for it.
 * @param {Shape[]} shapes all blocks
 * @param {Box} view the part of the page where blocks can be seen
 * @param {Stack} stackAt what is at a point
 * @returns {Share[]} for each block
 */
const shares = (shapes, view, stackAt) => {
    const found = shapes.map(() => ({area: 0, seen: 0, patch: 0}));
    const boxes = shapes.map(({box}) => intersect(box, view));
    /** @type {number[][]} */
    const tops = [];
    for (let y = Math.ceil(view.top); y < view.bottom; y += STEP) {
        /** @type {number[]} */
        const line = [];
        tops.push(line);
        const row = boxes.filter(box => box.top <= y && y < box.bottom);
        if (row.length === 0) continue;
        for (let x = Math.ceil(view.left), at = 0; x < view.right; x += STEP, at++) {
            if (!row.some(box => box.left <= x && x < box.right)) continue;
            const stack = stackAt(x, y);
            if (stack.length && stack[0] >= 0) line[at] = stack[0];
            count(found, shapes, stack);
        }
    }
    countPatches(found, tops);
    return found;
};

/**
 * Outlines and corners that peep out are seen, but nobody could say of what: a patch has some of the block all around.
 * @param {Share[]} found areas so far
 * @param {number[][]} tops the block on top at each point of the grid
 */
const countPatches = (found, tops) => {
    tops.forEach((row, y) => row.forEach((block, x) => {
        const around = [y - 1, y, y + 1].flatMap(down => [x - 1, x, x + 1].map(across => (tops[down] || [])[across]));
        if (around.every(other => other === block)) found[block].patch += STEP * STEP;
    }));
};

/**
 * @param {Share[]} found areas so far
 * @param {Shape[]} shapes all blocks
 * @param {number[]} stack the blocks at one point, from top to bottom
 */
const count = (found, shapes, stack) => {
    const cell = STEP * STEP;
    if (stack.length && stack[0] >= 0) found[stack[0]].seen += cell;
    stack.forEach((block, depth) => {
        if (block < 0 || stack.slice(0, depth).some(above => above >= 0 && shapes[above].ancestors.includes(block))) return;
        found[block].area += cell;
    });
};

/**
 * @param {Box[]} letters the box of each letter
 * @param {number} block whose letters they are
 * @param {Stack} stackAt what is at a point
 * @returns {string} for each letter 1 if all of it is seen, 0 if nothing is, and ? for parts
 */
const lettersSeen = (letters, block, stackAt) => letters.map(({left, top, right, bottom}) => {
    const points = DOWN.flatMap(down => ACROSS.map(across =>
        stackAt(left + (right - left) * across, top + (bottom - top) * down)[0] === block));
    const seen = points.filter(Boolean).length;
    return seen === points.length ? '1' : seen === 0 ? '0' : '?';
}).join('');

module.exports = {STEP, lettersSeen, shares};
