// @ts-check
// Brings the editor to the state that a scene begins with: sprite, category of the palette, zoom and scroll.

const {flush} = require('../lib/frames');

/** @typedef {{scale: number, x: number, y: number}} View */

/**
 * @param {import('../types/page').Ctx} ctx
 * @param {string} name of a sprite, or Stage
 */
const openTarget = ({vm, fail}, name) => {
    const target = vm.runtime.targets.find((/** @type {any} */ one) => one.isOriginal && one.getName() === name);
    if (!target) fail('unknown_target', `there is no sprite ${JSON.stringify(name)}`);
    if (vm.editingTarget !== target) vm.setEditingTarget(target.id);
};

/** @type {import('../types/page').PageFn<{sprite: string, category: string, view: View}, View>} */
module.exports = async (ctx, {sprite, category, view}) => {
    openTarget(ctx, sprite);
    await flush();
    const {workspace} = ctx;
    const toolbox = workspace.getToolbox();
    const item = toolbox.getToolboxItems().find((/** @type {any} */ one) => one.isSelectable() && one.getId() === category);
    if (!item) ctx.fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`);
    toolbox.setSelectedItem(item);
    workspace.setScale(view.scale);
    // The canvas scrolls no further than its blocks and one view around them.
    workspace.scroll(view.x, view.y);
    await flush();
    return {scale: workspace.scale, x: workspace.scrollX, y: workspace.scrollY};
};
