// @ts-check
// Sets a field of a block, or what is typed or chosen in one of its slots.

const {edit} = require('../../shared/lib/edit');
const {fieldOf, setField} = require('../../shared/lib/field-edit');

/** @typedef {import('../../types/composite').EditArgs & {blockIndex: number, fieldName: string, value: unknown}} Args */

/** @type {import('../../types/page').PageFn<Args, import('../../types/composite').Edited>} */
module.exports = (ctx, args) => edit(ctx, args, (blockAt, indexOf) => {
    const block = blockAt(args.blockIndex);
    const field = fieldOf(ctx, block, args.fieldName, indexOf);
    const {before, after} = setField(ctx, field, args.value);
    return () => ({
        updated: 1,
        blockIndex: args.blockIndex,
        blockId: block.id,
        fieldName: args.fieldName,
        value: after,
        originalValue: before
    });
});
