// @ts-check
// The registry's own numbering at this moment, with what a call of the reference dialect needs besides: which
// block starts each block's script, and the names in scope.

const {flush, requireEditor, snapshot} = require('../../shared/lib/edit');
const {LIST, SCALAR, formsOf} = require('../../shared/lib/variables');

/** @type {import('../../types/page').PageFn<{}, {numbering: import('../../types/composite').Numbering, tops: string[], variables: string[], lists: string[]}>} */
module.exports = async ctx => {
    requireEditor(ctx);
    // Edits by mouse may still be on their way to the VM.
    await flush();
    const {numbering} = snapshot(ctx);
    const tops = numbering.blocks.map(id => ctx.workspace.getBlockById(id).getRootBlock().id);
    return {numbering, tops, variables: formsOf(ctx, SCALAR), lists: formsOf(ctx, LIST)};
};
