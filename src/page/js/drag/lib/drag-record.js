// @ts-check
// What a drag did, step by step: the input events that came, and what the editor had in the air after each.

/** @typedef {import('./drag-relation').Link} Link */
/**
 * What the editor does between two events. `block` and `opcode` of what is dragged, whether it comes from the
 * palette, whether the canvas is dragged instead, and the links that the preview shows.
 * @typedef {{block: string | null, opcode: string | null, palette: boolean, canvas: boolean, preview: Link[]}} State
 */
/**
 * An event of the pointer with the state that it led to.
 * @typedef {{kind: 'press' | 'move' | 'release', x: number, y: number, trusted: boolean, after: State | null}} Step
 */

/** @type {Record<string, Step['kind'] | undefined>} */
const KINDS = {pointerdown: 'press', pointermove: 'move', pointerup: 'release'};

/** Events in order. The state after one is read when the next one comes, before the editor hears of that. */
class DragRecord {
    constructor() {
        /** @type {Step[]} */
        this.steps = [];
    }

    /**
     * @param {{type: string, clientX: number, clientY: number, isTrusted: boolean}} event of the pointer
     * @param {State} before what the editor does as the event comes
     */
    note(event, before) {
        const kind = KINDS[event.type];
        if (!kind) return;
        const last = this.steps[this.steps.length - 1];
        if (last) last.after = before;
        // The pointer travels to where it is pressed first.
        if (kind === 'move' && !last) return;
        this.steps.push({kind, x: event.clientX, y: event.clientY, trusted: event.isTrusted, after: null});
    }
}

/**
 * The record that is being made; there is one pointer.
 * @type {{record: DragRecord, stop: () => void} | null}
 */
let current = null;

/**
 * @param {{record: DragRecord, stop: () => void} | null} next what is made from now on
 * @returns {DragRecord | null} what was made until now; it is stopped
 */
const replace = next => {
    const before = current;
    if (before) before.stop();
    current = next;
    return before && before.record;
};

module.exports = {DragRecord, replace};
