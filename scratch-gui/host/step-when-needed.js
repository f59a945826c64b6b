// @ts-check
// The VM steps 30 times a second also when no script runs, which is all that an idle page costs. Here a
// step that could do nothing is left out. What counts as nothing follows the VM's own `Runtime._step`.

/**
 * Steps after the last one with work: the first tells the editor that the project stopped and takes the
 * glow from its scripts, the second finds everything as it was.
 */
const CLOSING_STEPS = 2;

/**
 * @param {any} runtime the VM's runtime
 * @returns {boolean} whether its next step may do more than draw
 */
export const hasWork = runtime =>
    runtime.threads.length > 0 ||
    runtime.profiler !== null ||
    runtime._refreshTargets ||
    runtime._prevMonitorState !== runtime._monitorState ||
    showsMonitors(runtime.monitorBlocks) ||
    runtime.targets.some((/** @type {any} */ target) => hasEdgeHats(runtime._hats, target.blocks));

/**
 * The reporter behind a visible monitor is asked for its value in each step.
 * @param {any} monitorBlocks the blocks behind the monitors; the VM keeps a list of the visible ones, null when it is out of date
 */
const showsMonitors = ({_cache}) => _cache._monitored === null || _cache._monitored.length > 0;

/**
 * A hat like "when timer > 10" is asked for its condition in each step.
 * @param {Record<string, {edgeActivated?: boolean}>} hats the VM's hats by opcode
 * @param {any} blocks the blocks of a target
 */
const hasEdgeHats = (hats, blocks) =>
    blocks.getScripts().some((/** @type {string} */ id) => hats[blocks.getBlock(id)?.opcode]?.edgeActivated);

/**
 * Wraps the runtime of the editor's VM in place.
 * @param {any} runtime a scratch-vm Runtime
 */
export const stepWhenNeeded = runtime => {
    const step = runtime._step;
    let closing = CLOSING_STEPS;
    runtime._step = function () {
        closing = hasWork(this) ? CLOSING_STEPS : closing - 1;
        if (closing >= 0) step.call(this);
        // Costumes finish loading on their own, so the stage may be stale although nothing runs.
        else this.renderer?.draw();
    };
};
