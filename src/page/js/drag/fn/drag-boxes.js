// @ts-check
// The boxes that the element list gives the two blocks of a drag: of the one that a press at a pixel would grasp, and
// of the one that stays, or of its slot.

const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * @param {Element} shape
 * @returns {Box} where it is drawn
 */
const boxOf = shape => {
    const {x, y, width, height} = shape.getBoundingClientRect();
    return {x, y, width, height};
};

/** @type {import('../../types/page').PageFn<{at: [number, number], target: string, input: string | null}, {source: Box, target: Box}>} */
module.exports = ({workspace, fail}, {at, target, input}) => {
    const top = document.elementFromPoint(at[0], at[1]);
    const group = top && top.closest('[data-id]');
    const id = group && group.getAttribute('data-id');
    const flyout = workspace.getFlyout().getWorkspace();
    let source = id && (workspace.getBlockById(id) || flyout.getBlockById(id));
    while (source && source.isShadow()) source = source.getParent();
    if (source && source.isInFlyout) source = source.getRootBlock();
    const block = workspace.getBlockById(target);
    if (!source || !block) fail('unknown_block', `no block at ${at.join(', ')}, or none with the id ${target}`);
    const slot = input && block.getInputTargetBlock(input);
    // A mouth, and a slot without a default, is no element of its own.
    const stays = slot && slot.outputConnection ? slot : block;
    return {source: boxOf(seams().outline(source)), target: boxOf(seams().outline(stays))};
};
