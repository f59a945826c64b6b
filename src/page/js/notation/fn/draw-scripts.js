// @ts-check
// Pictures of some scripts of the project that is loaded, as the editor draws them, with blocks marked in them.

const {requireEditor} = require('../../shared/lib/edit');
const {redraw} = require('../../shared/lib/frames');
const {gapLines, outlines} = require('../lib/block-marks');
const {pictureOfBlocks} = require('../lib/block-picture');

/**
 * @typedef {{first: string, marks: import('../lib/block-marks').Mark[], gaps: import('../lib/block-marks').Gap[]}} Script by the id
 *     of its first block
 */

/** @param {any} block the first of a script @returns {import('../lib/block-picture').Box} */
const boxOf = block => {
    const {left, top, right, bottom} = block.getBoundingRectangle();
    return {left, top, right, bottom};
};

/**
 * `target` is the name of a sprite, or null for the stage. Scripts that the target does not have are refused.
 * @type {import('../../types/page').PageFn<{target: string | null, scripts: Script[]}, import('../lib/block-picture').Picture[]>}
 */
module.exports = async (ctx, {target: name, scripts}) => {
    requireEditor(ctx);
    const {vm, workspace} = ctx;
    const target = vm.runtime.targets.find((/** @type {any} */ found) =>
        found.isOriginal && (name === null ? found.isStage : !found.isStage && found.getName() === name));
    if (!target) return ctx.fail('unknown_target', `there is no sprite ${name}`);
    vm.setEditingTarget(target.id);
    await redraw(ctx);
    const pictures = [];
    for (const {first, marks, gaps} of scripts) {
        const block = workspace.getBlockById(first);
        if (!block) return ctx.fail('unknown_block', `${target.getName()} has no block ${first}`);
        const over = [...outlines(workspace, marks), ...gapLines(workspace, gaps)];
        pictures.push(await pictureOfBlocks(boxOf(block), [block.getSvgRoot()], over));
    }
    return pictures;
};
