// @ts-check
/**
 * Whether the editor has mounted, its default project is loaded, the palette is filled, and the workspace has the size of
 * its place; in a page with the player alone, whether it can show a project.
 */
const {fitsItsPlace} = require('../lib/workspace-size.js');

/** @type {import('../../types/page').PageFn<null, boolean>} */
module.exports = ({state, vm, workspace}) => {
    if (!vm.editingTarget) return false;
    if (state.store.getState().scratchGui.mode.isPlayerOnly) return Boolean(vm.runtime.renderer);
    const palette = workspace?.getFlyout();
    if (!palette || palette.getWorkspace().getTopBlocks(false).length === 0) return false;
    return fitsItsPlace(window, workspace);
};
