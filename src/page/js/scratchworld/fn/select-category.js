// @ts-check
// Scrolls the palette to a category, as a click on its name does.

const {requireEditor} = require('../../shared/lib/edit');
const {listed} = require('../../shared/lib/nearest');

/** @type {import('../../types/page').PageFn<{category: string}, {category: string}>} */
module.exports = (ctx, {category}) => {
    requireEditor(ctx);
    const toolbox = ctx.workspace.getToolbox();
    const items = toolbox.getToolboxItems().filter((/** @type {any} */ item) => item.isSelectable());
    const fold = (/** @type {string} */ text) => text.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/s$/, '');
    const found = items.find((/** @type {any} */ item) => [item.getId(), item.getName()].some(text => fold(text) === fold(category)));
    if (!found) {
        ctx.fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`,
            `there are: ${listed(items.map((/** @type {any} */ item) => item.getId()))}`);
    }
    toolbox.setSelectedItem(found);
    return {category: found.getId()};
};
