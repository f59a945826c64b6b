// @ts-check
// Makes a block of a type and leaves it loose, under all other scripts.

const {edit, placeBelow, requireEditor} = require('../../shared/lib/edit');
const {plan} = require('../../shared/lib/new-block');
const {loadExtensionFor} = require('../../shared/lib/palette');

/** @typedef {import('../../types/composite').EditArgs & {blockType: string, creation?: import('../../types/composite').Creation | null}} Args */

/** @type {import('../../types/page').PageFn<Args, import('../../types/composite').Edited>} */
module.exports = async (ctx, args) => {
    requireEditor(ctx);
    const type = args.blockType.trim();
    // What every object has by this name is no block of the palette.
    if (type in Object.prototype) {
        ctx.fail('unknown_block_type', `there is no block type ${JSON.stringify(type)}`, 'block_catalogue lists the types of the open target');
    }
    const extension = await loadExtensionFor(ctx, type);
    return edit(ctx, args, () => {
        const {xml, ignored} = plan(ctx, type, args.creation || {});
        const block = ctx.SB.Xml.domToBlock(xml, ctx.workspace);
        placeBelow(ctx.workspace, block);
        return indexOf => ({
            blockId: block.id,
            index: indexOf(block),
            connected: false,
            ...(ignored.length ? {ignored: ignored.map(key => `creation.${key}`)} : {}),
            ...(extension ? {extension} : {})
        });
    });
};
