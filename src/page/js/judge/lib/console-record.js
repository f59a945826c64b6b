// @ts-check
// Keeps what a script and a project print, bounded, without taking it away from the real console; and tells the errors among it that a
// project writes.

const {beginning} = require('./bounded-text.js');

/** Lines kept, and characters kept of each. */
const [LINES, LENGTH] = [200, 500];
/** Errors of a program that are told from each other. */
const ERRORS = 1000;
/** Characters of what is printed that are looked at. */
const FAR = 20 * LENGTH;
/**
 * Characters by which errors are told from each other: fewer than are kept of a line, by more than what stands before an error in it, so
 * that the same error is cut at the same place wherever it stands.
 */
const SAID = 400;
const LEVELS = ['debug', 'log', 'info', 'warn', 'error'];

/** How the line of an error begins, and how the VM's own log marks one, after the time. */
const ERROR = 'error: ';
const MARKS = ['\tERROR\t', '\tFATAL\t'];
/** What differs from page to page: where the editor is served from, and ids that the browser makes. */
const ORIGIN = /\b(?:blob:)?[a-z][a-z-]{0,30}:\/\/[^\s/'")]*/g;
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/**
 * @param {any} value something printed
 * @returns {string}
 */
const show = value => {
    if (typeof value === 'string') return value;
    // Errors of another realm are no instances of this one's class.
    if (value && typeof value.stack === 'string') return value.stack || String(value);
    try {
        return JSON.stringify(value) ?? String(value);
    } catch {
        return String(value);
    }
};

/**
 * @param {string} text
 * @returns {string} the same in whichever page it was written: without origins of addresses, and without the browser's ids
 */
const placeless = text => text.replace(ORIGIN, '').replace(ID, 'id');

/**
 * @param {any[]} args as given to a console method
 * @returns {string} their beginning as one line, without the style sheets that `%c` stands for
 */
const line = args => {
    // Two long texts together may be longer than a string can be.
    const part = (/** @type {any} */ value) => beginning(show(value), FAR);
    const [first, ...rest] = args;
    if (typeof first !== 'string') return args.map(part).join(' ');
    const text = part(first);
    const styles = text.split('%c').length - 1;
    return [text.replaceAll('%c', ''), ...rest.slice(styles).map(part)].join(' ');
};

/** @param {string} text a line with its level @returns {string | null} the error in it, without the time of it */
const errorIn = text => {
    for (const mark of MARKS) {
        const at = text.indexOf(mark);
        if (at >= 0) return text.slice(at + 1);
    }
    return text.startsWith(ERROR) ? text.slice(ERROR.length) : null;
};

/**
 * @param {string} error as a line has it
 * @returns {string} what it says, without the places in the editor's code: the same for the same error in each page
 */
const said = error => beginning(placeless(error).split('\n')[0], SAID);

/**
 * @param {Iterable<string>} errors what each says, of `said`
 * @param {string[]} known errors as lines have them, from whichever page
 * @returns {string[]} those that are not among the known ones
 */
const newErrors = (errors, known) => {
    const old = new Set(known.map(said));
    return [...errors].filter(error => !old.has(error));
};

/**
 * @typedef {{lines: string[], newErrors: (known: string[]) => string[], forScript: any,
 *            loading: <T>(work: () => Promise<T>) => Promise<T>,
 *            quietly: <T>(work: () => Promise<T>) => Promise<T>, restore: () => void}} ConsoleRecord `lines`, filled as they come, are the
 *     first of all, and after them each error of a project that was not written before; `newErrors` tells what a project's errors so far
 *     say, those left out that are known; `forScript` is a console whose lines are kept, but say nothing of a project; `loading` does the
 *     work that loads a program, of which nothing is kept, and begins to count its errors; `quietly` does other work of which nothing is
 *     kept; `restore` is the way back
 */

/**
 * Wraps the methods of a console in place.
 * @param {any} console the console to listen to
 * @returns {ConsoleRecord}
 */
const recordConsole = console => {
    /** @type {string[]} */
    const lines = [];
    /** @type {Set<string>} */
    const errors = new Set();
    let [quiet, told, isScript, isFull] = [0, 0, false, false];
    /** @param {string} text @returns {boolean} whether it is an error that no program has written before */
    const isNewError = text => {
        const error = isScript || told >= ERRORS ? null : errorIn(text);
        if (error === null || errors.has(said(error))) return false;
        errors.add(said(error));
        told += 1;
        return true;
    };
    // However much is printed, an error after it is heard.
    const keep = (/** @type {string} */ text) => {
        if (quiet > 0) return;
        const isNew = isNewError(text);
        if (isNew || lines.length < LINES) lines.push(text);
        else if (!isFull) {
            isFull = true;
            lines.push('… more was printed');
        }
    };
    const originals = LEVELS.map(level => [level, console[level]]);
    for (const [level, original] of originals) {
        console[level] = (/** @type {any[]} */ ...args) => {
            keep(beginning(placeless(`${level}: ${line(args)}`), LENGTH));
            original.apply(console, args);
        };
    }
    const forScript = Object.create(console);
    for (const level of LEVELS) {
        const print = (/** @type {any[]} */ ...args) => {
            isScript = true;
            try {
                console[level](...args);
            } finally {
                isScript = false;
            }
        };
        // What a script put in its place would hear nothing of the project, and say so of any.
        Object.defineProperty(forScript, level, {
            get: () => print,
            set() {
                throw new Error('a script can not replace a method of the console: config.newErrors tells the errors of the project');
            }
        });
    }
    /** @type {ConsoleRecord['quietly']} */
    const quietly = async work => {
        quiet += 1;
        try {
            return await work();
        } finally {
            quiet -= 1;
        }
    };
    return {
        lines,
        newErrors: known => newErrors(errors, known),
        forScript,
        loading: work =>
            quietly(work).finally(() => {
                told = 0;
            }),
        quietly,
        restore: () => {
            for (const [level, original] of originals) console[level] = original;
        }
    };
};

module.exports = {recordConsole, show};
