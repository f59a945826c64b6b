// @ts-check
const {fitsItsPlace} = require('./workspace-size.js');

/**
 * @param {Window & typeof globalThis} window of a page with the editor
 * @returns {boolean} whether the editor waits for the project that it is to begin with
 */
const awaitsProject = window => window.scratchbedHost.awaitsProject();

/**
 * @param {Window & typeof globalThis} window of a page with the editor
 * @param {import('../../types/page').Ctx} ctx of the same page
 * @returns {boolean} whether a project is loaded, the palette is filled, and the workspace has the size of its place
 */
const showsProject = (window, {vm, workspace}) => {
    if (!vm.editingTarget) return false;
    const palette = workspace?.getFlyout();
    if (!palette || palette.getWorkspace().getTopBlocks(false).length === 0) return false;
    return fitsItsPlace(window, workspace);
};

module.exports = {awaitsProject, showsProject};
