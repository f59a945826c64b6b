// @ts-check
// Keeps what a script and a project print, bounded, without taking it away from the real console.

/** Lines kept, and characters kept of each. */
const [LINES, LENGTH] = [200, 500];
const LEVELS = ['debug', 'log', 'info', 'warn', 'error'];

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
 * @param {any[]} args as given to a console method
 * @returns {string} one line, without the style sheets that `%c` stands for
 */
const line = args => {
    const [first, ...rest] = args;
    if (typeof first !== 'string') return args.map(show).join(' ');
    const styles = first.split('%c').length - 1;
    return [first.replaceAll('%c', ''), ...rest.slice(styles).map(show)].join(' ');
};

/**
 * Wraps the methods of a console in place.
 * @param {any} console the console to listen to
 * @returns {{lines: string[], quietly: <T>(work: () => Promise<T>) => Promise<T>, restore: () => void}}
 *     the lines, filled as they come; a way to do work whose output is not kept; and the way back
 */
const recordConsole = console => {
    /** @type {string[]} */
    const lines = [];
    let quiet = 0;
    const keep = (/** @type {string} */ text) => {
        if (quiet > 0) return;
        if (lines.length < LINES) lines.push(text.slice(0, LENGTH));
        else if (lines.length === LINES) lines.push('… more was printed');
    };
    const originals = LEVELS.map(level => [level, console[level]]);
    for (const [level, original] of originals) {
        console[level] = (/** @type {any[]} */ ...args) => {
            keep(`${level}: ${line(args)}`);
            original.apply(console, args);
        };
    }
    return {
        lines,
        quietly: async work => {
            quiet += 1;
            try {
                return await work();
            } finally {
                quiet -= 1;
            }
        },
        restore: () => {
            for (const [level, original] of originals) console[level] = original;
        }
    };
};

module.exports = {recordConsole, show};
