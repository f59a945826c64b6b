// @ts-check
// Takes a block out of its place: a stack block with all below it, a reporter out of its slot.

const {defaultBlock, slotAround} = require('../../shared/lib/default-block');
const {edit, placeBelow} = require('../../shared/lib/edit');

/** @type {import('../../types/page').PageFn<import('../../types/composite').EditArgs & {blockIndex: number}, import('../../types/composite').Edited>} */
module.exports = (ctx, args) => edit(ctx, args, blockAt => {
    const block = blockAt(args.blockIndex);
    if (!block.getParent()) {
        ctx.fail('not_attached', `block #${args.blockIndex} ${block.type} is not attached to anything`,
            'it starts a script already: there is nothing to detach');
    }
    const slot = slotAround(block);
    block.unplug(false);
    if (slot) defaultBlock(ctx, slot);
    placeBelow(ctx.workspace, block);
    return indexOf => ({detached: true, blockId: block.id, topId: block.id, index: indexOf(block)});
});
