// @ts-check
// setTimeout and setInterval on a virtual clock, with the rules that Chromium has for the order of timers: a record of
// what it does lies beside the tests.
//
// Delays are whole milliseconds, as the type `long` of the standard makes them. Timers that are due together run in the
// order in which they were registered, and an interval keeps its place among them: each round of it is due a whole number
// of periods after the first. An interval that was kept from running skips the rounds that it missed.

/** Timers that were set by timers, this many in a row, take at least so many milliseconds; else time would never pass. */
const [NESTED, NESTED_MS] = [5, 4];
/** Intervals take at least so many milliseconds from the first round on. */
const INTERVAL_MS = 1;

/** @typedef {import('./virtual-clock.js').VirtualClock} VirtualClock */

/**
 * @param {any} delay as a program gives it
 * @returns {number} milliseconds; what is no number is 0, and what is too large for 32 bits wraps around
 */
const wholeMs = delay => Math.max(0, Number(delay) | 0);

/**
 * @param {VirtualClock} clock
 * @param {() => number} now milliseconds since the start, for whoever sets these timers
 * @param {(error: any) => void} onError what becomes of an exception in a timer
 * @returns {Record<string, any>} by the names of the globals
 */
const timersOf = (clock, now, onError) => {
    const guarded = (/** @type {any} */ handler, /** @type {any[]} */ args) => () => {
        try {
            if (typeof handler === 'function') handler(...args);
        } catch (error) {
            onError(error);
        }
    };
    const clear = (/** @type {number} */ id) => clock.cancel(id);
    return {
        setTimeout: (/** @type {any} */ handler, /** @type {any} */ delay, /** @type {any[]} */ ...args) => {
            const id = clock.newId();
            const nesting = clock.nesting + 1;
            const ms = Math.max(wholeMs(delay), nesting < NESTED ? 0 : NESTED_MS);
            clock.add({time: now() + ms, id, nesting, run: guarded(handler, args)});
            return id;
        },
        setInterval: (/** @type {any} */ handler, /** @type {any} */ delay, /** @type {any[]} */ ...args) => {
            const id = clock.newId();
            let nesting = clock.nesting + 1;
            let period = Math.max(wholeMs(delay), nesting < NESTED ? INTERVAL_MS : NESTED_MS);
            let due = now() + period;
            const run = guarded(handler, args);
            const round = () => {
                due += period * (1 + Math.max(0, Math.floor((now() - due) / period)));
                nesting += 1;
                if (nesting === NESTED && period < NESTED_MS) {
                    due += NESTED_MS - period;
                    period = NESTED_MS;
                }
                // Before the handler, which may clear it.
                clock.add({time: due, id, nesting, run: round});
                run();
            };
            clock.add({time: due, id, nesting, run: round});
            return id;
        },
        clearTimeout: clear,
        clearInterval: clear
    };
};

module.exports = {timersOf};
