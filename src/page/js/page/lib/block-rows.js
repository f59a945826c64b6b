// @ts-check
// Rows of the element list that come from Blockly workspaces: blocks, their fields and check boxes.

const {nameOf, fieldText} = require('./block-text.js');
const {intersect, union} = require('./boxes.js');

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
    const movable = !block.isShadow() && (!onCanvas || block.isMovable());
    if (movable) {
        const labels = fieldsOf(block).filter(field => !isOperable(field)).map(field => field.getSvgRoot());
        rows.push({type: 'blocks', text: nameOf(block, onCanvas), node: block.getSvgRoot(), box: intersect(boxOf(block), view), handles: labels});
    }
    for (const field of fieldsOf(block)) {
        if (!isOperable(field)) continue;
        const whole = block.isShadow() || field.isFullBlockField();
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
 * @param {any} field
 * @returns {boolean} whether a click on it edits it
 */
const isOperable = field => field.EDITABLE && field.isClickable();

/**
 * A block's own box: its outline and its shadows, not what hangs below it or sits in its slots.
 * @param {any} block
 * @returns {Box}
 */
const boxOf = block => {
    let box = block.pathObject.svgPath.getBoundingClientRect();
    for (const child of block.getChildren(false)) if (child.isShadow()) box = union(box, boxOf(child));
    return box;
};

/**
 * @param {any} block a reporter of the palette
 * @param {Box} view
 * @returns {Row[]} the check box that shows its monitor, if it has one
 */
const checkBoxOf = (block, view) => {
    const icon = block.getIcons().find((/** @type {any} */ one) => one.getType().toString() === 'checkbox');
    const bubble = icon && icon.getBubble && icon.getBubble();
    if (!bubble || !bubble.svgRoot) return [];
    const square = bubble.svgRoot.querySelector('.blocklyFlyoutCheckbox') || bubble.svgRoot;
    const text = `${bubble.checked ? 'checked' : 'unchecked'} monitor of ${nameOf(block, false)}`;
    return [{type: 'inputs', text, node: bubble.svgRoot, box: intersect(square.getBoundingClientRect(), view)}];
};

module.exports = {blockRows};
