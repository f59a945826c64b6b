// @ts-check
// Waiting for Blockly. It queues events and hands them to the VM after an animation frame and a zero
// timeout (spec: Blockly's events/utils.ts, fireInternal), so the VM is behind the workspace until then.

/** @returns {Promise<void>} settles after one animation frame and the timers that it queued */
const frame = () => new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
});

/**
 * Two rounds: the first carries the events of the edit, the second those that its listeners fired.
 * @returns {Promise<void>} settles when the VM has seen every event fired before the call
 */
const flush = async () => {
    await frame();
    await frame();
};

module.exports = {flush};
