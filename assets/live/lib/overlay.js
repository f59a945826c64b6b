// @ts-check
// What is drawn over a picture: where an action went, and how elements are told apart. Nothing here touches the page.

/** @typedef {import('../types/api').Point} Point */

/** Width and height of every picture, in pixels. */
export const SIZE = {width: 1280, height: 720};

/** Kinds of elements that look alike, by the name of their class. */
const GROUPS = {
    canvas: 'area',
    stage: 'area',
    dialogs: 'area',
    blocks: 'block',
    inputs: 'input',
    text: 'text'
};

/**
 * @param {string} type of an element
 * @returns {string} the class that says how its box looks
 */
export const group = type => /** @type {Record<string, string>} */ (GROUPS)[type] ?? 'control';

/**
 * @param {any} args
 * @param {string} x
 * @param {string} y
 * @returns {Point | null}
 */
const point = (args, x, y) => (typeof args?.[x] === 'number' && typeof args?.[y] === 'number' ? {x: args[x], y: args[y]} : null);

/**
 * Where an action went, from its arguments as carried out.
 * @param {{api: string, args: Record<string, any>} | undefined} action
 * @returns {{at: Point, from: Point | null} | null} null for an action without a place
 */
export const trail = action => {
    const args = action?.args;
    const end = point(args, 'end_x', 'end_y');
    if (end) return {at: end, from: point(args, 'start_x', 'start_y')};
    const at = point(args, 'x', 'y');
    return at && {at, from: null};
};
