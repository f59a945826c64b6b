// @ts-check
// Turns a list of cases into an evaluation script. Each case gets a program that was loaded anew; a case
// that takes too long is ended and reported as such; the report always lists every case.

const {Unmet} = require('./expect.js');
const {Player} = require('./player.js');
const {Cancelled} = require('./ticks.js');

/**
 * @typedef {{name: string, run: (player: Player) => Promise<void>}} Case
 * @typedef {import('../types').Detail} Detail
 * @typedef {import('../types').Config} Config
 */

/** Milliseconds of project time left for the report: at the task's limit itself the judge ends the script. */
const RESERVE_MS = 100;
/** Characters of a message that are reported: it may name texts of the program's, which may be of any length. */
const MESSAGE = 2000;

/** What a case throws that is no unmet expectation: a fault of the script, which says nothing of the program. */
class CaseFault extends Error {
    /**
     * @param {string} name of the case
     * @param {unknown} cause what it threw
     */
    constructor(name, cause) {
        // Errors that come from the VM are no instances of this realm's Error.
        const {stack, message} = /** @type {any} */ (cause ?? {});
        const head = `the case "${name}" broke: `;
        super(head + (message ?? String(cause)), {cause});
        // The judge shows where it happened, not where it was noticed.
        this.stack = head + (stack || message || String(cause));
    }
}

/**
 * No script of ours makes such a string of its own: it takes texts of the program's.
 * @param {any} error
 * @returns {boolean} whether a string would have become longer than the engine allows
 */
const isTooLong = error => error?.name === 'RangeError' && error.message === 'Invalid string length';

/** @param {string} message @returns {string} its beginning if it is long, with how long it is */
const short = message => (message.length <= MESSAGE ? message : `${message.slice(0, MESSAGE)}… (${message.length} characters)`);

/**
 * @param {Case} testCase
 * @param {Player} player
 * @param {number} limit milliseconds of project time
 * @returns {Promise<void>} rejected at the limit, whatever the case waits for
 */
const withinLimit = (testCase, player, limit) =>
    new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Cancelled()), limit);
        const run = async () => testCase.run(player);
        run()
            .then(() => {
                if (player.ticks.failure) throw player.ticks.failure.error;
                // Nobody would hear whether what it waits for comes, so the case could not fail by it.
                if (player.ticks.waiters.size > 0) throw new Error('it ended while it waited: an await is missing');
            })
            .then(resolve, reject)
            .finally(() => clearTimeout(timer));
    });

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
    try {
        await withinLimit(testCase, player, limit);
        return detail({passed: true});
    } catch (caught) {
        // What an observer threw came first, whatever the case made of it.
        const error = player.ticks.failure ? player.ticks.failure.error : caught;
        if (error instanceof Cancelled) {
            const {awaited} = player.ticks;
            return detail({timeout: true, error: `not done within ${limit} ms${awaited && `: it never happened that ${awaited}`}`});
        }
        if (error instanceof Unmet) return detail({error: short(error.message)});
        if (isTooLong(error)) return detail({error: 'the program has texts that are too long to be put together'});
        throw new CaseFault(testCase.name, error);
    } finally {
        player.leave();
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
        const left = config.taskMs - RESERVE_MS - (Date.now() - started);
        const skipped = (/** @type {Partial<Detail>} */ why) => details.push({name: testCase.name, passed: false, ...why});
        if (config.stopAtFirstFailure && details.some(detail => !detail.passed)) {
            skipped({error: 'not run after a failure'});
        } else if (left <= 0) {
            skipped({timeout: true, error: 'the time was used up before'});
        } else {
            details.push(await runCase(testCase, await config.reload(), Math.min(config.caseMs, left)));
        }
    }
    cleanup();
    const passed = details.filter(detail => detail.passed).length;
    return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
};

module.exports = {suite, CaseFault};
