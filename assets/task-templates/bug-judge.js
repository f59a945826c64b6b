// @ts-check
// Judge of a forged fault: it plays the scenarios of the fault's suite and looks at what the suite asserts and guards. An error on the console
// that the golden project writes in none of its runs fails a project, whatever holds otherwise: that there is none is the last test.

/* global SUITE */
const {bugSuite} = require('./lib/bug_suite.js');
const {playScenario} = require('./lib/scenario.js');

/**
 * The suite. Its `console` has the errors that the golden project writes, and the scenarios that are played for their console alone: those
 * that the suite does not play whole, under its first seed.
 * @type {{every: number, scenarios: any[], assertions: any[], guards?: any, console: {seed: number, scenarios: any[], known: string[]}}}
 */
const suite = SUITE;

/** Lines of a program that are heard, and characters of each: as many as were kept of the golden project's. */
const [LINES, LENGTH] = [200, 500];
const LEVELS = ['debug', 'log', 'info', 'warn', 'error'];
/** How an error begins, and how the VM's own log marks one, after the time. */
const ERROR = 'error: ';
const MARKS = ['\tERROR\t', '\tFATAL\t'];
const NAME = 'no error is written to the console that the golden project does not write';

/** @param {any} value something printed @returns {string} */
const show = value => {
    if (typeof value === 'string') return value;
    if (value && typeof value.stack === 'string') return value.stack || String(value);
    try {
        return JSON.stringify(value) ?? String(value);
    } catch {
        return String(value);
    }
};

/** @param {any[]} args as given to a console method @returns {string} without the style sheets that `%c` stands for */
const line = args => {
    const [first, ...rest] = args;
    if (typeof first !== 'string') return args.map(show).join(' ');
    const styles = first.split('%c').length - 1;
    return [first.replaceAll('%c', ''), ...rest.slice(styles).map(show)].join(' ');
};

/** @param {string} text a line with its level @returns {string | null} the error in it */
const errorIn = text => {
    for (const mark of MARKS) {
        const at = text.indexOf(mark);
        if (at >= 0) return text.slice(at + 1);
    }
    return text.startsWith(ERROR) ? text.slice(ERROR.length) : null;
};

/** What stays of an error wherever the editor is served from: what it says, without the places in the editor's code. @param {string} error */
const said = error => error.split('\n')[0].replace(/https?:\/\/[^\s/]*/g, '');

/**
 * Listens to a console, in place.
 * @param {any} target
 */
const listen = target => {
    /** @type {Set<string>} */
    const errors = new Set();
    // What is written while a program loads is no news of it.
    let [left, isQuiet] = [LINES, true];
    const originals = LEVELS.map(level => [level, target[level]]);
    for (const [level, original] of originals) {
        target[level] = (/** @type {any[]} */ ...args) => {
            if (!isQuiet && left > 0) {
                left -= 1;
                const error = errorIn(`${level}: ${line(args)}`.slice(0, LENGTH));
                if (error !== null) errors.add(said(error));
            }
            original.apply(target, args);
        };
    }
    return {
        errors,
        /** @template T @param {() => Promise<T>} load @returns {Promise<T>} */
        loading: load => {
            isQuiet = true;
            const loaded = load();
            // Before whoever waits for the program plays it.
            const begin = () => {
                [left, isQuiet] = [LINES, false];
            };
            loaded.then(begin, begin);
            return loaded;
        },
        restore: () => {
            for (const [level, original] of originals) target[level] = original;
        }
    };
};

/** @param {boolean} holds whether all else does @param {Set<string>} errors */
const tested = (holds, errors) => {
    const known = new Set(suite.console.known.map(said));
    const error = [...errors].find(each => !known.has(each));
    if (error !== undefined) return {name: NAME, passed: false, error};
    return holds ? {name: NAME, passed: true} : {name: NAME, passed: false, error: 'not looked at to the end: another test does not hold'};
};

/** @type {(vm: any, config: any, cleanup: () => void) => Promise<any>} */
module.exports = async (vm, config, cleanup) => {
    const heard = listen(console);
    const reload = () => heard.loading(() => config.reload());
    try {
        const report = await bugSuite(suite)(vm, {...config, reload}, () => {});
        const {seed, scenarios} = suite.console;
        for (const scenario of report.success && config.seed === seed ? scenarios : []) {
            await playScenario(await reload(), scenario, suite.every);
        }
        cleanup();
        const details = [...report.details, tested(report.success, heard.errors)];
        const passed = details.filter(each => each.passed).length;
        return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
    } finally {
        heard.restore();
    }
};
