// @ts-check
// Turns a list of cases into an evaluation script. Each case gets a program that was loaded anew; a case
// that takes too long is ended and reported as such; the report always lists every case.

const {Unmet} = require('./expect.js');
const {Player} = require('./player.js');
const {Cancelled} = require('./ticks.js');

/**
 * @typedef {{name: string, run: (player: Player) => Promise<void>}} Case
 * @typedef {import('../types').Detail} Detail
 */

/**
 * Runs one case on a fresh program.
 * @param {Case} testCase
 * @param {import('../types').Vm} vm
 * @param {number} limit milliseconds of project time
 * @returns {Promise<Detail>}
 */
const runCase = async (testCase, vm, limit) => {
    const started = Date.now();
    const player = new Player(vm);
    const detail = (/** @type {Partial<Detail>} */ rest) => ({
        name: testCase.name,
        passed: false,
        duration_ms: Date.now() - started,
        ...rest
    });
    const timer = setTimeout(() => player.ticks.cancel(), limit);
    try {
        await testCase.run(player);
        return detail({passed: true});
    } catch (error) {
        if (error instanceof Cancelled) return detail({timeout: true, error: `not done within ${limit} ms`});
        if (error instanceof Unmet) return detail({error: error.message});
        throw error;
    } finally {
        clearTimeout(timer);
    }
};

/**
 * @param {Case[]} cases in the order in which they run
 * @returns {import('../types').Script}
 */
const suite = cases => async (vm, config, cleanup) => {
    const started = Date.now();
    /** @type {Detail[]} */
    const details = [];
    for (const testCase of cases) {
        const left = config.taskMs - (Date.now() - started);
        if (left <= 0) {
            details.push({name: testCase.name, passed: false, timeout: true, error: 'the time was used up before'});
            continue;
        }
        details.push(await runCase(testCase, await config.reload(), Math.min(config.caseMs, left)));
    }
    cleanup();
    const passed = details.filter(detail => detail.passed).length;
    return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
};

module.exports = {suite};
