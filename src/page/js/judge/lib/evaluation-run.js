// @ts-check
// The evaluation that runs in this page; one at a time.

const {recordConsole, show} = require('./console-record.js');
const {runScript} = require('./evaluation-module.js');

/**
 * @typedef {'running' | 'reported' | 'threw' | 'overran' | 'unloadable'} State `overran`: the limit of virtual
 *     time was reached, or nothing was left to wait for
 * @typedef {{state: State, report: any, error: string | null, trace: any}} Progress
 * @typedef {{progress: Progress, lines: string[], ended: Promise<void>}} Evaluation
 * @typedef {{script: any, prelude: any, helpers: any[], compile: (source: string) => any, time: any,
 *            console: any, config: object, load: () => Promise<any>, current: () => any,
 *            drive: (() => Promise<void>) | null, conclude: () => Promise<any>}} Job `drive` takes the script's
 *     place; `load` loads the project into a fresh VM and returns it,
 *     `current` is the VM in use, `conclude` disposes of it and gives the trace
 */

/** @type {Evaluation | null} */
let current = null;

/** What a report must survive on its way out of the page. */
const plain = (/** @type {any} */ value) => JSON.parse(JSON.stringify(value ?? null));

/**
 * What scripts see as `window`: enough for the paper's form, and nothing of the editor's.
 * @param {Job} job
 */
const windowFor = ({time, current: vm}) => ({...time.scriptGlobals, vm: vm()});

/**
 * @param {Job} job
 * @param {Progress} progress filled in
 * @param {import('./console-record.js').ConsoleRecord} record
 */
const evaluate = async (job, progress, record) => {
    const fail = (/** @type {State} */ state, /** @type {any} */ error) => {
        progress.state = state;
        progress.error = show(error).slice(0, 4000);
    };
    // Each new VM announces itself on the console; that is no news of the project.
    const load = () => record.loading(job.load);
    const reload = () => job.time.hold(load());
    const newErrors = (/** @type {string[]} */ known = []) => record.newErrors(known);
    try {
        await load();
    } catch (error) {
        return fail('unloadable', error);
    }
    const script = async () => {
        const window = windowFor(job);
        const globals = {...job.time.scriptGlobals, console: record.forScript, window, globalThis: window, self: window};
        const args = [job.current(), {...job.config, reload, newErrors}, () => job.current().stopAll()];
        try {
            progress.report = job.drive ? plain(await job.drive()) : plain(await runScript(job, globals, args));
            progress.state = 'reported';
        } catch (error) {
            fail('threw', error);
        }
    };
    const ended = await job.time.run(script);
    if (!ended) fail('overran', `it was not done after ${Math.round(job.time.elapsed())} ms of project time`);
};

/**
 * Starts the evaluation and returns at once.
 * @param {Job} job
 */
const startEvaluation = job => {
    const record = recordConsole(job.console);
    /** @type {Progress} */
    const progress = {state: 'running', report: null, error: null, trace: null};
    const work = async () => {
        // What the page tells while the evaluation goes on; the end is told when all is cleared away.
        /** @type {Progress} */
        const outcome = {...progress};
        try {
            await evaluate(job, outcome, record);
            outcome.trace = await record.quietly(job.conclude);
        } finally {
            job.time.end();
            record.restore();
        }
        Object.assign(progress, outcome);
    };
    const ended = work().catch(error => {
        progress.state = 'threw';
        progress.error = show(error);
    });
    current = {progress, lines: record.lines, ended};
};

/** @returns {Evaluation | null} the last one; null when none was started */
const currentEvaluation = () => current;

module.exports = {startEvaluation, currentEvaluation};
