// @ts-check
const {seams} = require('../../shared/lib/editor-seams');
const {assetsOf, fileName, fromBase64} = require('../lib/assets');
const {awaitsProject, showsProject} = require('../lib/readiness');
const {hasUndrawnSkins} = require('../lib/undrawn-skins');

/** How many frames filling the palette may take; it takes one or two, on a busy machine too. */
const FILLING_FRAMES = 300;

/**
 * Loads a project file into the editor and waits until its costumes have pixels: `loadProject` resolves
 * before SVG skins are drawn. `null` is the editor's default project, for a page that waits for its first one.
 * @type {import('../../types/page').PageFn<{sb3: string | null, editing_target: string | null}, any>}
 */
module.exports = async (ctx, {sb3, editing_target}) => {
    const {vm} = ctx;
    const isFirst = awaitsProject(window);
    if (sb3 === null && !isFirst) throw new Error('the editor has begun with a project');
    vm.stopAll();
    try {
        await vm.loadProject(sb3 === null ? null : fromBase64(sb3).buffer);
    } catch (error) {
        ctx.fail('load_failed', describe(error));
    }
    if (seams().complete(vm.runtime.targets)) vm.emitWorkspaceUpdate();
    // How long that may take is for the caller to say: 60 to 410 ms are usual, and a busy machine takes longer.
    while (hasUndrawnSkins(vm.runtime.renderer)) await nextFrames(1);
    ctx.state.store.dispatch({type: 'scratch-gui/navigation/ACTIVATE_TAB', activeTabIndex: 0});
    const wanted = vm.runtime.targets.find(
        (/** @type {any} */ target) => target.isOriginal && target.getName() === editing_target
    );
    if (wanted) vm.setEditingTarget(wanted.id);
    await nextFrames(2);
    // The editor still takes its loading screen away and fills the palette, unless the project breaks that.
    for (let frame = 0; isFirst && frame < FILLING_FRAMES && !showsProject(window, ctx); frame++) await nextFrames(1);
    if (!seams().isDrawn(ctx.workspace)) ctx.fail('not_drawn', 'the editor can\'t draw all blocks of this sprite', 'use the current editor');
    ctx.workspace.clearUndo();
    // As the editor has it after a load of its own.
    ctx.state.store.dispatch({type: 'scratch-gui/project-changed/SET_PROJECT_CHANGED', changed: false});
    return {
        targets: vm.runtime.targets
            .filter((/** @type {any} */ target) => target.isOriginal)
            .map((/** @type {any} */ target) => target.getName()),
        missing_assets: assetsOf(vm)
            .filter(({item}) => item.broken)
            .map(({target, item}) => `${target}: ${item.name} (${fileName(item.broken)})`)
    };
};

/**
 * @param {any} error whatever the VM rejects with: an Error, a string, or a JSON text of schema errors
 * @returns {string} one line
 */
const describe = error => {
    const text = typeof error === 'string' ? error : (error && error.message) || String(error);
    return text.length > 500 ? `${text.slice(0, 500)}…` : text;
};

/**
 * @param {number} count how many frames to let pass
 * @returns {Promise<void>} after that many animation frames and the task that follows
 */
const nextFrames = async count => {
    for (let i = 0; i < count; i++) await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
};
