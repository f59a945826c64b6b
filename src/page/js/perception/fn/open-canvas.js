// @ts-check
// Brings the editor around the canvas to what a picture is to show: size of the stage, category of the palette, zoom.
// To be called before a project is loaded, and again after that.

const {flush} = require('../../shared/lib/frames');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** @type {import('../../types/page').PageFn<{small_stage: boolean, category: string, scale: number}, {scale: number, x: number, y: number}>} */
module.exports = async (ctx, {small_stage, category, scale}) => {
    const {SB, state, workspace, fail} = ctx;
    // Blockly pushes loose neighbours within this radius away from each other; in a picture they may lie together.
    SB.config.snapRadius = 0;
    state.store.dispatch({type: 'scratch-gui/StageSize/SET_STAGE_SIZE', stageSize: small_stage ? 'small' : 'large'});
    await flush();
    const toolbox = workspace.getToolbox();
    const item = toolbox.getToolboxItemById(category);
    if (!item) fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`);
    toolbox.setSelectedItem(item);
    workspace.setScale(scale);
    await flush();
    return {scale: workspace.scale, x: workspace.scrollX, y: workspace.scrollY};
};
