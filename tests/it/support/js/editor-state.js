// @ts-check
/** What the editor says of itself and of the project that it shows, without what chance names. */
module.exports = (/** @type {any} */ {state, vm, workspace}) => {
    const {scratchGui} = state.store.getState();
    const palette = workspace.getFlyout().getWorkspace();
    return {
        loading: scratchGui.projectState.loadingState,
        is_changed: scratchGui.projectChanged,
        title: scratchGui.projectTitle,
        tab: scratchGui.editorTab.activeTabIndex,
        alerts: scratchGui.alerts.alertsList.length,
        toolbox: scratchGui.toolbox.toolboxXML.replaceAll(vm.editingTarget.id, 'target'),
        palette: palette.getTopBlocks(true).map((/** @type {any} */ block) => block.type),
        zoom: workspace.scale,
        moving: document.getAnimations().map(animation => String(/** @type {any} */ (animation).animationName)),
        loading_screen: document.querySelectorAll('[class*="loader_background"]').length,
        targets: vm.runtime.targets.map((/** @type {any} */ target) => target.getName()),
        editing: vm.editingTarget.getName(),
        threads: vm.runtime.threads.length
    };
};
