// @ts-check
/**
 * How far the editor has come. With the player alone, a page is ready when it can show a project.
 */
const {awaitsProject, showsProject} = require('../lib/readiness.js');

/** @type {import('../../types/page').PageFn<null, 'mounting' | 'awaits_project' | 'ready'>} */
module.exports = ctx => {
    const {state, vm, workspace} = ctx;
    if (awaitsProject(window)) return workspace ? 'awaits_project' : 'mounting';
    const isPlayerOnly = state.store.getState().scratchGui.mode.isPlayerOnly;
    const isReady = isPlayerOnly ? Boolean(vm.editingTarget && vm.runtime.renderer) : showsProject(window, ctx);
    return isReady ? 'ready' : 'mounting';
};
