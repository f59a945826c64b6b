// @ts-check
// Waiting for Blockly. It queues events and hands them to the VM after an animation frame and a zero
// timeout (Blockly's events/utils.ts, fireInternal), so the VM is behind the workspace until then.

/**
 * Frame callbacks and timers run in the order in which they were asked for, so one frame and one timer asked for
 * now come after those of every event fired before. The caller's wait for a quiet editor covers what listeners
 * do on top of that.
 * @returns {Promise<void>} settles when the VM has seen every event fired before the call
 */
const flush = () => new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
});

/**
 * Has the editor draw the blocks of the VM anew. Their connections can be found a millisecond later.
 * @param {import('../../types/page').Ctx} ctx
 */
const redraw = async ({vm}) => {
    vm.emitWorkspaceUpdate();
    await flush();
    await new Promise(resolve => setTimeout(resolve, 1));
    await flush();
};

module.exports = {flush, redraw};
