// @ts-check
// The evaluation that runs in this page; one per page, since a page is discarded after judging.

const {recordConsole, show} = require('./console-record.js');
const {runScript} = require('./evaluation-module.js');

/**
 * @typedef {{state: 'running' | 'reported' | 'threw' | 'unloadable', report: any, error: string | null}} Progress
 */

/** @type {{progress: Progress, lines: string[], ended: Promise<void>} | null} */
let current = null;

/** What a report must survive on its way out of the page. */
const plain = (/** @type {any} */ value) => JSON.parse(JSON.stringify(value ?? null));

/**
 * What scripts see as `window`: enough for the paper's form, and nothing of the editor's.
 * @param {any} vm the judged VM
 * @param {Record<string, any>} time the clock functions
 */
const windowFor = (vm, time) => ({...time, vm});

/**
 * Starts the evaluation and returns at once.
 * @param {{script: any, helpers: any[], compile: (source: string) => any, time: Record<string, any>, console: any,
 *          config: object, load: () => Promise<any>, current: () => any}} job `load` loads the project into a
 *     fresh VM and returns it, `current` is the VM in use
 */
const startEvaluation = job => {
    const record = recordConsole(job.console);
    /** @type {Progress} */
    const progress = {state: 'running', report: null, error: null};
    const fail = (/** @type {Progress['state']} */ state, /** @type {any} */ error) => {
        progress.state = state;
        progress.error = show(error).slice(0, 4000);
    };
    const evaluate = async () => {
        // Each new VM announces itself on the console; that is no news of the project.
        const load = () => record.quietly(job.load);
        try {
            await load();
        } catch (error) {
            return fail('unloadable', error);
        }
        const vm = job.current();
        const config = {...job.config, reload: load};
        const cleanup = () => job.current().stopAll();
        const globals = {...job.time, console: job.console, window: windowFor(vm, job.time)};
        try {
            const args = [vm, config, cleanup];
            progress.report = plain(await runScript(job.compile, job.script, job.helpers, globals, args));
            progress.state = 'reported';
        } catch (error) {
            fail('threw', error);
        }
    };
    current = {progress, lines: record.lines, ended: evaluate().finally(record.restore)};
};

/** @returns {{progress: Progress, lines: string[], ended: Promise<void>} | null} null when none was started */
const currentEvaluation = () => current;

module.exports = {startEvaluation, currentEvaluation};
