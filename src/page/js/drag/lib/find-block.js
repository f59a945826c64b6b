// @ts-check
// Finds the blocks that scenes name.

const {numbered} = require('../../shared/lib/workspace-view');

/** @typedef {import('../../types/page').Ctx} Ctx */
/**
 * A block by its id, or by its opcode, what its fields show, and the how-manieth of those that fit, in the order of
 * scripts. What is not said does not matter.
 * @typedef {{id?: string, opcode?: string, nth?: number, fields?: Record<string, string>}} BlockName
 */

/**
 * @param {any} block a block
 * @param {Record<string, string>} fields names and values or shown texts
 * @returns {boolean} whether its fields, or those of its default blocks, are so
 */
const shows = (block, fields) => Object.entries(fields).every(([name, text]) => {
    const holders = [block, ...block.getChildren(false).filter((/** @type {any} */ child) => child.isShadow())];
    return holders.some(holder => {
        const field = holder.getField(name);
        return field && (field.getText() === text || field.getValue() === text);
    });
});

/**
 * @param {Ctx} ctx
 * @param {BlockName} name which one
 * @param {boolean} inPalette whether it lies in the palette, not on the canvas
 * @returns {any} the block
 */
const findBlock = ({workspace, fail}, name, inPalette) => {
    const blocks = inPalette ? workspace.getFlyout().getWorkspace().getTopBlocks(true) : numbered(workspace);
    const {id, opcode, nth = 1, fields = {}} = name;
    const found = blocks.filter((/** @type {any} */ block) =>
        (id === undefined || block.id === id) && (opcode === undefined || block.type === opcode) && shows(block, fields));
    if (!found[nth - 1]) {
        fail('unknown_block', `there is no block ${JSON.stringify(name)} ${inPalette ? 'in the palette' : 'on the canvas'}`,
            `${found.length} of ${blocks.length} blocks fit the name`);
    }
    return found[nth - 1];
};

module.exports = {findBlock};
