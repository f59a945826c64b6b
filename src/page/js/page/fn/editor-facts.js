// @ts-check
/**
 * What `scratchbed doctor` wants to know of a mounted editor: whether the handles that all page functions
 * start from are where the pinned version has them, and whether the stage is drawn with WebGL.
 * @type {import('../../types/page').PageFn<null, {scratch_blocks: boolean, palette_blocks: number, targets: number,
 *     webgl: string | null}>}
 */
module.exports = ({vm, SB, workspace}) => {
    const palette = workspace && workspace.getFlyout();
    const gl = vm.renderer && vm.renderer.gl;
    return {
        scratch_blocks: Boolean(SB && SB.Events && workspace),
        palette_blocks: palette ? palette.getWorkspace().getTopBlocks(false).length : 0,
        targets: vm.runtime.targets.length,
        webgl: gl && !gl.isContextLost() ? String(gl.getParameter(gl.VERSION)) : null
    };
};
