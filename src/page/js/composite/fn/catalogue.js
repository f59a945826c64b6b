// @ts-check
// The block catalogue, read from the running editor for the open target. `extensions` are loaded first.

const {catalogueBlock, ownBlocks} = require('../lib/catalogue-entry');
const {requireEditor, flush} = require('../../shared/lib/edit');
const {OFFLINE_EXTENSIONS, categories} = require('../../shared/lib/palette');

/** @typedef {{target: string, isStage: boolean, categories: import('../../types/composite').CatalogueCategory[]}} Result */

/** @type {import('../../types/page').PageFn<{extensions?: string[]}, Result>} */
module.exports = async (ctx, {extensions = []}) => {
    requireEditor(ctx);
    const {SB, vm} = ctx;
    for (const id of extensions) {
        if (!OFFLINE_EXTENSIONS.includes(id)) ctx.fail('unknown_extension', `no extension ${id} that works offline`, `there are ${OFFLINE_EXTENSIONS.join(', ')}`);
        if (!vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
    }
    await flush();
    // Blocks are tried out in the palette's own workspace, where Scratch keeps blocks that are only shown:
    // variables that they name are not made. Without events nothing of it reaches the program.
    const spare = ctx.workspace.getFlyout().getWorkspace();
    const outer = SB.Events.isEnabled();
    if (outer) SB.Events.disable();
    try {
        return {
            target: vm.editingTarget.sprite.name,
            isStage: vm.editingTarget.isStage,
            categories: categories(ctx).map(category => ({
                id: category.id,
                name: category.name,
                blocks: category.custom === 'PROCEDURE' ? ownBlocks() :
                    category.blocks.map(template => catalogueBlock(ctx, spare, template))
            }))
        };
    } finally {
        if (outer) SB.Events.enable();
    }
};
