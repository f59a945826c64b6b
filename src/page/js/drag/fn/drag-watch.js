// @ts-check
// Watches what the pointer and the editor do during a drag, without touching either. A call begins a record or
// ends it, and returns what was recorded since the last one.

const {DragRecord, replace} = require('../lib/drag-record');
const {linksOf} = require('../lib/drag-relation');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** The events that a drag is made of. */
const EVENTS = ['pointerdown', 'pointermove', 'pointerup'];

/**
 * @param {Ctx} ctx
 * @returns {import('../lib/drag-record').State} what is in the air now
 */
const stateOf = ({SB, workspace}) => {
    const carried = seams().carried(workspace);
    const candidate = carried && carried.candidate;
    return {
        block: carried ? carried.block.id : null,
        opcode: carried ? carried.block.type : null,
        palette: Boolean(carried && carried.palette),
        canvas: seams().panning(workspace),
        preview: candidate ? linksOf(SB.Connection, candidate.local, candidate.neighbour) : []
    };
};

/** @type {import('../../types/page').PageFn<{watch: boolean}, {steps: import('../lib/drag-record').Step[]}>} */
module.exports = (ctx, {watch}) => {
    if (!watch) {
        const ended = replace(null);
        return {steps: ended ? ended.steps : []};
    }
    const record = new DragRecord();
    const note = (/** @type {any} */ event) => record.note(event, stateOf(ctx));
    // Before the editor hears of them: it keeps some events to itself.
    for (const type of EVENTS) window.addEventListener(type, note, true);
    const stop = () => EVENTS.forEach(type => window.removeEventListener(type, note, true));
    const before = replace({record, stop});
    return {steps: before ? before.steps : []};
};
