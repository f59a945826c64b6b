// @ts-check
// Events of a log put together. Nothing here touches the page.

/** @typedef {import('../types/api').LogEvent} LogEvent */
/** @typedef {{request: LogEvent, reply: LogEvent | null}} ActionRow */

/** Kinds of events that come by the dozen for one action. */
const DETAIL = new Set(['input', 'vm', 'frame']);

/**
 * @param {LogEvent} event
 * @returns {boolean} whether only who looks closely wants to see it
 */
export const isDetail = event => DETAIL.has(event.kind);

/**
 * Each request with its reply, in the order in which they came to their turn.
 * @param {LogEvent[]} events
 * @returns {ActionRow[]}
 */
export const rowsOf = events => {
    /** @type {Map<number, ActionRow>} */
    const rows = new Map();
    for (const event of events) {
        if (event.kind === 'request') rows.set(event.seq, {request: event, reply: null});
        const asked = event.kind === 'reply' && event.request !== undefined ? rows.get(event.request) : undefined;
        if (asked) asked.reply = event;
    }
    return [...rows.values()];
};
