// @ts-check
// The names under which programs reach a clock: timers, `Date`, `performance`.

/** @typedef {import('./virtual-clock.js').VirtualClock} VirtualClock */

/**
 * @param {DateConstructor} RealDate
 * @param {() => number} now the date in milliseconds
 * @returns {any} a `Date` whose present is `now`
 */
const dateOf = (RealDate, now) => {
    /** @type {any} */
    const VirtualDate = function (/** @type {any[]} */ ...args) {
        if (!new.target) return new RealDate(now()).toString();
        return Reflect.construct(RealDate, args.length ? args : [now()], new.target);
    };
    VirtualDate.prototype = RealDate.prototype;
    // Dates count whole milliseconds.
    VirtualDate.now = () => Math.floor(now());
    VirtualDate.parse = RealDate.parse;
    VirtualDate.UTC = RealDate.UTC;
    return VirtualDate;
};

/**
 * @param {VirtualClock} clock
 * @param {(error: any) => void} onError what becomes of an exception in a timer
 */
const timersOf = (clock, onError) => {
    const guarded = (/** @type {any} */ handler, /** @type {any[]} */ args) => () => {
        try {
            if (typeof handler === 'function') handler(...args);
        } catch (error) {
            onError(error);
        }
    };
    /** @type {Map<number, number>} interval ids to the ids of their next events */
    const intervals = new Map();
    const clear = (/** @type {number} */ id) => {
        clock.cancel(intervals.get(id) ?? id);
        intervals.delete(id);
    };
    return {
        setTimeout: (/** @type {any} */ handler, /** @type {number} */ delay, /** @type {any[]} */ ...args) =>
            clock.schedule(delay, guarded(handler, args)),
        setInterval: (/** @type {any} */ handler, /** @type {number} */ delay, /** @type {any[]} */ ...args) => {
            // Browsers take at least a millisecond; with none, time would never pass.
            const period = Math.max(1, Number(delay) || 0);
            const run = guarded(handler, args);
            const again = () => {
                intervals.set(id, clock.schedule(period, again));
                run();
            };
            const id = clock.schedule(period, again);
            intervals.set(id, id);
            return id;
        },
        clearTimeout: clear,
        clearInterval: clear
    };
};

/**
 * What the VM sees while one of its events runs.
 * @param {VirtualClock} clock
 * @param {DateConstructor} RealDate
 * @param {(error: any) => void} onError
 * @returns {Record<string, any>} by the names of the globals
 */
const vmGlobals = (clock, RealDate, onError) => ({
    ...timersOf(clock, onError),
    Date: dateOf(RealDate, () => clock.vmNow())
});

/**
 * What a script and its helpers see.
 * @param {VirtualClock} clock
 * @param {DateConstructor} RealDate
 * @param {(error: any) => void} onError
 * @returns {Record<string, any>} by the names of the globals
 */
const scriptGlobals = (clock, RealDate, onError) => {
    const start = clock.date();
    return {
        ...timersOf(clock, onError),
        Date: dateOf(RealDate, () => clock.scriptNow()),
        performance: Object.freeze({now: () => clock.scriptNow() - start, timeOrigin: start})
    };
};

/**
 * Puts values in the place of properties for a while.
 * @param {any} owner
 * @param {Record<string, any>} values
 * @returns {() => void} the way back
 */
const borrow = (owner, values) => {
    const names = Object.keys(values);
    const originals = names.map(name => owner[name]);
    for (const name of names) owner[name] = values[name];
    return () => {
        names.forEach((name, i) => (owner[name] = originals[i]));
    };
};

module.exports = {borrow, scriptGlobals, vmGlobals};
