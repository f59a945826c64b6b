// @ts-check
// Changes what lies on the canvas as a person might: adds loose blocks, types and chooses values, pulls stacks off and
// puts them elsewhere, one over the other; then scrolls. Blocks stay where they are put, since `open-canvas` keeps Blockly
// from pushing loose neighbours apart.

const {fieldOf, setField} = require('../../shared/lib/field-edit');
const {flush} = require('../../shared/lib/frames');
const {plan} = require('../../shared/lib/new-block');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/**
 * `block` is an id; places are in workspace units.
 * @typedef {object} Args
 * @property {string[]} add types of blocks to add
 * @property {{block: string, slot: string, text: string}[]} fields what to type or choose
 * @property {{block: string, x: number, y: number}[]} places where to put blocks with all that hangs on them, lowest first
 * @property {{scale: number, x: number, y: number}} view zoom and scroll
 */

/**
 * @param {any} block a block without a parent
 * @param {{x: number, y: number}} place where it goes
 */
const putAt = (block, {x, y}) => {
    const now = block.getRelativeToSurfaceXY();
    if (now.x !== x || now.y !== y) block.moveBy(x - now.x, y - now.y);
};

/** @type {import('../../types/page').PageFn<Args, {scale: number, x: number, y: number}>} */
module.exports = async (ctx, {add, fields, places, view}) => {
    const {SB, workspace} = ctx;
    for (const type of add) SB.Xml.domToBlock(plan(ctx, type, {}).xml, workspace);
    const blockOf = (/** @type {string} */ id) => {
        const block = workspace.getBlockById(id);
        if (!block) ctx.fail('unknown_block', `there is no block ${JSON.stringify(id)}`);
        return block;
    };
    for (const {block, slot, text} of fields) setField(ctx, fieldOf(ctx, blockOf(block), slot, () => null), text);
    for (const {block} of places) if (blockOf(block).getParent()) blockOf(block).unplug(false);
    await flush();
    for (const {block, ...place} of places) {
        putAt(blockOf(block), place);
        workspace.getCanvas().appendChild(blockOf(block).getSvgRoot());
    }
    workspace.setScale(view.scale);
    seams().scrollTo(workspace, view.x, view.y);
    await flush();
    return {scale: workspace.scale, x: workspace.scrollX, y: workspace.scrollY};
};
