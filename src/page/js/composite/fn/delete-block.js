// @ts-check
// Deletes a block with what is in its slots and all below it.

const {defaultBlock, slotAround} = require('../../shared/lib/default-block');
const {edit} = require('../../shared/lib/edit');
const {procedures} = require('../../shared/lib/workspace-view');
const {seams} = require('../../shared/lib/editor-seams');

/** @type {import('../../types/page').PageFn<import('../../types/composite').EditArgs & {blockIndex: number}, import('../../types/composite').Edited>} */
module.exports = (ctx, args) => edit(ctx, args, blockAt => {
    const block = blockAt(args.blockIndex);
    const {id, type} = block;
    const going = block.getDescendants(false);
    // The editor refuses to leave calls behind that call nothing; calls that go along do not count.
    for (const {definition, proccode} of procedures(ctx.workspace)) {
        if (!going.includes(definition)) continue;
        const calls = seams().callersOf(ctx.SB, proccode, ctx.workspace, definition);
        if (calls.length) {
            ctx.fail('definition_in_use', `${JSON.stringify(proccode)} is still called ${calls.length} times`, 'delete its procedures_call blocks first');
        }
    }
    const deletedBlocks = going.filter((/** @type {any} */ each) => !each.isShadow() && each.getParent()?.type !== 'procedures_prototype' &&
        each.type !== 'procedures_prototype').length;
    const slot = slotAround(block);
    block.dispose(false);
    if (slot) defaultBlock(ctx, slot);
    return () => ({deleted: true, index: args.blockIndex, blockId: id, blockInfo: {id, opcode: type}, deletedBlocks});
});
