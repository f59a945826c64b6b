// @ts-check
// The element lists of the reference server: elements_batch and elements.

const {boxOf, isBlock, isSeen, matches, textOf} = require('../lib/rows');

/** @typedef {{index: number, position: {x: number, y: number, width: number, height: number}, text: string, type: string, block_name?: string}} Row */

/**
 * @param {import('../../types/page').Ctx} ctx
 * @returns {(element: Element) => string} a block's type, with "on canvas" for one that is not in the palette
 */
const blockNames = ({vm, workspace}) => {
    const palette = workspace && workspace.getFlyout().getWorkspace();
    return element => {
        const id = element.getAttribute('data-id') || '';
        const inPalette = palette && element.closest('.blocklyFlyout') && palette.getBlockById(id);
        if (inPalette) return inPalette.type;
        const block = vm.editingTarget && vm.editingTarget.blocks.getBlock(id);
        return id ? `${block ? block.opcode : id} on canvas` : textOf(element);
    };
};

/** @type {import('../../types/page').PageFn<{selectors: {name: string, selector: string}[]}, Row[]>} */
module.exports = (ctx, {selectors}) => {
    const nameOf = blockNames(ctx);
    /** @type {Row[]} */
    const rows = [];
    for (const {name, selector} of selectors) {
        matches(document, selector).forEach((element, index) => {
            if (!isSeen(element)) return;
            const row = {index, position: boxOf(element), text: textOf(element), type: name};
            rows.push(isBlock(element) ? {...row, block_name: nameOf(element)} : row);
        });
    }
    return rows;
};
