// @ts-check
// Rows of the element list that come from Blockly workspaces: blocks, their fields and check boxes.

const {nameOf, fieldText} = require('./block-text.js');
const {intersect, union} = require('./boxes.js');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {{type: string, text: string, node: any, box: Box, handles?: any[]}} Row */

/**
 * @param {any} workspace a rendered workspace
 * @param {Box} view the part of the page it can be seen in
 * @param {boolean} onCanvas
 * @returns {Row[]} its blocks from top to bottom, each followed by its own fields
 */
const blockRows = (workspace, view, onCanvas) => {
    /** @type {Row[]} */
    const rows = [];
    for (const top of workspace.getTopBlocks(true)) {
        // Most of the palette is out of sight: whole stacks are skipped on one look.
        if (!touches(top.getSvgRoot().getBoundingClientRect(), view)) continue;
        for (const block of top.getDescendants(true)) rows.push(...rowsOf(block, view, onCanvas));
    }
    return rows;
};

/**
 * @param {Box} box
 * @param {Box} view
 */
const touches = (box, view) => {
    const shared = intersect(box, view);
    return shared.right > shared.left && shared.bottom > shared.top;
};

/**
 * @param {any} block
 * @param {Box} view
 * @param {boolean} onCanvas
 * @returns {Row[]}
 */
const rowsOf = (block, view, onCanvas) => {
    const rows = [];
    if (seams().isHeld(block, onCanvas)) {
        const labels = fieldsOf(block).filter(field => !seams().isOperable(field)).map(field => field.getSvgRoot());
        rows.push({type: 'blocks', text: nameOf(block, onCanvas), node: block.getSvgRoot(), box: intersect(boxOf(block), view), handles: labels});
    }
    for (const field of fieldsOf(block)) {
        if (!seams().isOperable(field)) continue;
        const whole = block.isShadow() || seams().fillsBlock(field);
        const node = whole ? block.getSvgRoot() : field.getSvgRoot();
        const box = whole ? boxOf(block) : node.getBoundingClientRect();
        rows.push({type: 'inputs', text: fieldText(field, block, onCanvas), node, box: intersect(box, view)});
    }
    return rows.concat(checkBoxOf(block, view));
};

/**
 * @param {any} block
 * @returns {any[]} the fields that are shown on it
 */
const fieldsOf = block =>
    block.inputList.flatMap((/** @type {any} */ input) => (input.isVisible() ? input.fieldRow : [])).filter(
        (/** @type {any} */ field) => field.isVisible() && field.getSvgRoot()
    );

/**
 * A block's own box: its outline and its shadows, not what hangs below it or sits in its slots.
 * @param {any} block
 * @returns {Box}
 */
const boxOf = block => {
    /** @type {Box} */
    let box = seams().outline(block).getBoundingClientRect();
    for (const child of block.getChildren(false)) if (child.isShadow()) box = union(box, boxOf(child));
    return box;
};

/**
 * @param {any} block a reporter of the palette
 * @param {Box} view
 * @returns {Row[]} the check box that shows its monitor, if it has one
 */
const checkBoxOf = (block, view) => {
    const found = seams().checkBoxOf(block);
    if (!found) return [];
    const square = found.root.querySelector('.blocklyFlyoutCheckbox') || found.root;
    const text = `${found.checked ? 'checked' : 'unchecked'} monitor of ${nameOf(block, false)}`;
    return [{type: 'inputs', text, node: found.root, box: intersect(square.getBoundingClientRect(), view)}];
};

module.exports = {blockRows};
