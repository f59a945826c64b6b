// @ts-check
// Connects one block, with all below it, to another.

const {edit, placeBelow} = require('../../shared/lib/edit');
const {KINDS, requireSlotName} = require('../lib/placement');

/** @typedef {import('../../types/composite').EditArgs & {sourceBlockIndex: number, targetBlockIndex: number, placement: import('../../types/composite').Placement}} Args */

/** @type {import('../../types/page').PageFn<Args, import('../../types/composite').Edited>} */
module.exports = (ctx, args) => edit(ctx, args, blockAt => {
    const {kind, inputName} = args.placement;
    const source = blockAt(args.sourceBlockIndex);
    const target = blockAt(args.targetBlockIndex);
    if (source === target) ctx.fail('invalid_argument', 'a block can\'t be connected to itself');
    requireSlotName(ctx, target, kind, inputName);
    const {displaced} = KINDS[kind](ctx, source, target, inputName || null);
    if (displaced) placeBelow(ctx.workspace, displaced);
    return indexOf => ({
        connected: true,
        kind,
        ...(inputName ? {inputName} : {}),
        sourceId: source.id,
        targetId: target.id,
        sourceIndex: indexOf(source),
        targetIndex: indexOf(target),
        ...(displaced ? {displaced: {blockId: displaced.id, index: indexOf(displaced), opcode: displaced.type}} : {})
    });
});
