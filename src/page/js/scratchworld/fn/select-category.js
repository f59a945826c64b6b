// @ts-check
// Scrolls the palette to a category, as a click on its name does.

const {requireEditor} = require('../../shared/lib/edit');
const {listed} = require('../../shared/lib/nearest');
const {seams} = require('../../shared/lib/editor-seams');

/** @type {import('../../types/page').PageFn<{category: string}, {category: string}>} */
module.exports = (ctx, {category}) => {
    requireEditor(ctx);
    const {categories, openCategory} = seams();
    const known = categories(ctx.workspace);
    const fold = (/** @type {string} */ text) => text.toLowerCase().replace(/[^a-z0-9]/g, '').replace(/s$/, '');
    const found = known.find(({id, name}) => [id, name].some(text => fold(text) === fold(category)));
    if (!found) {
        ctx.fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`,
            `there are: ${listed(known.map(({id}) => id))}`);
    }
    const {id} = /** @type {{id: string}} */ (found);
    openCategory(ctx.workspace, id);
    return {category: id};
};
