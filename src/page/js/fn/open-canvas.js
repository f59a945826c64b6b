// @ts-check
// Brings the editor around the canvas to what a picture is to show: size of the stage, category of the palette, zoom; and
// takes chance out of it. To be called before a project is loaded, and again after that.

const {flush} = require('../lib/frames');

/** @typedef {import('../types/page').Ctx} Ctx */

/** The colour that colour slots start with. */
const COLOUR = '#9966ff';

/**
 * The editor lets chance colour each new slot for a colour, in the palette too: no two pictures would be the same.
 * @param {Ctx} ctx
 */
const fixColours = ({SB, workspace}) => {
    const kind = SB.Blocks.colour_picker;
    if (!kind.fixed) {
        const {init} = kind;
        kind.init = function () {
            init.call(this);
            this.setFieldValue(COLOUR, 'COLOUR');
        };
        kind.fixed = true;
    }
    // Those that are there already came before.
    for (const block of workspace.getFlyout().getWorkspace().getBlocksByType('colour_picker')) block.setFieldValue(COLOUR, 'COLOUR');
};

/** @type {import('../types/page').PageFn<{small_stage: boolean, category: string, scale: number}, {scale: number, x: number, y: number}>} */
module.exports = async (ctx, {small_stage, category, scale}) => {
    const {SB, state, workspace, fail} = ctx;
    fixColours(ctx);
    // Blockly pushes loose neighbours within this radius away from each other, by a distance that chance decides.
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
