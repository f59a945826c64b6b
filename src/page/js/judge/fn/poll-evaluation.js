// @ts-check
/**
 * Waits a while for the evaluation of this page and tells how it goes.
 */
const {currentEvaluation} = require('../lib/evaluation-run.js');
const {activity} = require('../lib/second-vm.js');

/**
 * @typedef {{wait_ms: number}} Args
 * @typedef {{state: string, report: any, error: string | null, trace: any, console: string[],
 *            in_step: boolean}} Result
 */

/** @type {import('../types/page').PageFn<Args, Result>} */
module.exports = async ({fail}, {wait_ms}) => {
    const evaluation = currentEvaluation();
    if (!evaluation) return fail('not_evaluating', 'no evaluation was started in this page');
    // A script that was cut off has left its own timers in the place of the page's.
    if (wait_ms > 0) await Promise.race([evaluation.ended, new Promise(resolve => setTimeout(resolve, wait_ms))]);
    return {...evaluation.progress, console: evaluation.lines, in_step: activity.inStep};
};
