// @ts-check
// Pictures of the project that is loaded: the stage, and the scripts of each sprite as SVG documents that need
// nothing else: no style sheets, no fonts of their own, no files. What is drawn is what the editor shows.

const {requireEditor} = require('../../shared/lib/edit');
const {flush} = require('../../shared/lib/frames');
const {pictureOfBlocks} = require('../lib/block-picture');

/**
 * @typedef {{target: string, svg: string, width: number, height: number}} ScriptPicture
 */

/**
 * @param {any} workspace the main workspace, all drawn
 * @returns {Promise<import('../lib/block-picture').Picture | null>} its blocks; null without blocks
 */
const scriptsPicture = async workspace => {
    if (!workspace.getTopBlocks(false).length) return null;
    // The canvas itself is moved and scaled to what the editor shows of it.
    return pictureOfBlocks(workspace.getBlocksBoundingBox(), [...workspace.getCanvas().children]);
};

/**
 * @param {any} renderer the VM's renderer
 * @returns {Promise<string>} the stage as a PNG data URL
 */
const stagePicture = renderer => new Promise(resolve => {
    renderer.requestSnapshot(resolve);
    renderer.draw();
});

/**
 * With `run_ms` the green flag is clicked first, and the stage is drawn when so much time has passed.
 * @type {import('../../types/page').PageFn<{run_ms: number}, {stage: string, scripts: ScriptPicture[]}>}
 */
module.exports = async (ctx, {run_ms}) => {
    requireEditor(ctx);
    const {vm} = ctx;
    const scripts = [];
    for (const target of vm.runtime.targets.filter((/** @type {any} */ found) => found.isOriginal)) {
        vm.setEditingTarget(target.id);
        await flush();
        const picture = await scriptsPicture(ctx.workspace);
        if (picture) scripts.push({target: target.getName(), ...picture});
    }
    if (run_ms > 0) {
        vm.greenFlag();
        await new Promise(resolve => setTimeout(resolve, run_ms));
    }
    const stage = await stagePicture(vm.runtime.renderer);
    vm.stopAll();
    return {stage, scripts};
};
