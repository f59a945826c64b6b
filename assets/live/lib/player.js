// @ts-check
// Moving through the steps of a run: which key does what, and where a move leads.

/** @typedef {'next' | 'previous' | 'first' | 'last' | 'play'} Move */

/** @type {Record<string, Move>} */
const KEYS = {ArrowRight: 'next', ArrowLeft: 'previous', Home: 'first', End: 'last', ' ': 'play'};

/** Milliseconds for which each step is shown while it plays. */
export const STEP_MS = 1000;

/**
 * @param {string} key as `KeyboardEvent.key` names it
 * @returns {Move | null}
 */
export const moveOf = key => KEYS[key] ?? null;

/**
 * @param {number} index of the step shown
 * @param {number} count of the steps
 * @param {Move} move
 * @returns {number} the step to show, always one that exists while there are any
 */
export const moved = (index, count, move) => {
    const last = Math.max(0, count - 1);
    const wanted = {next: index + 1, previous: index - 1, first: 0, last, play: index}[move];
    return Math.min(last, Math.max(0, wanted));
};
