// @ts-check
/**
 * Whether the editor has mounted, its default project is loaded and the palette is filled.
 * @type {import('../../types/page').PageFn<null, boolean>}
 */
module.exports = ctx => {
    if (!ctx.workspace || !ctx.vm.editingTarget) return false;
    const palette = ctx.workspace.getFlyout();
    return Boolean(palette && palette.getWorkspace().getTopBlocks(false).length > 0);
};
