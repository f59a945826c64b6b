// @ts-check
// Stops all scripts, and tells how many there were.

/** @type {import('../../types/page').PageFn<null, {stopped: number}>} */
module.exports = ({vm}) => {
    const stopped = vm.runtime.threads.filter((/** @type {any} */ thread) => !thread.updateMonitor).length;
    vm.stopAll();
    return {stopped};
};
