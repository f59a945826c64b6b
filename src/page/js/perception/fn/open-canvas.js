// @ts-check
// Brings the editor around the canvas to what a picture is to show: size of the stage, category of the palette, zoom.
// To be called before a project is loaded, and again after that.

const {flush} = require('../../shared/lib/frames');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** @type {import('../../types/page').PageFn<{small_stage: boolean, category: string, scale: number}, {scale: number, x: number, y: number}>} */
module.exports = async (ctx, {small_stage, category, scale}) => {
    const {SB, state, workspace, fail} = ctx;
    // Blockly pushes loose neighbours within this radius away from each other; in a picture they may lie together.
    seams().stopPushes(SB);
    state.store.dispatch({type: 'scratch-gui/StageSize/SET_STAGE_SIZE', stageSize: small_stage ? 'small' : 'large'});
    await flush();
    if (!seams().openCategory(workspace, category)) fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`);
    workspace.setScale(scale);
    await flush();
    return {scale: workspace.scale, x: workspace.scrollX, y: workspace.scrollY};
};
