// @ts-check
/**
 * Whether the project runs: monitors that only show a value do not count.
 * @type {import('../../types/page').PageFn<null, boolean>}
 */
module.exports = ctx => ctx.vm.runtime.threads.some((/** @type {{updateMonitor?: boolean}} */ thread) => !thread.updateMonitor);
