// @ts-check
// The names under which programs reach a clock: timers, `Date`, `performance`.

const {timersOf} = require('./virtual-timers.js');

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
 * What the VM sees while one of its events runs.
 * @param {VirtualClock} clock
 * @param {DateConstructor} RealDate
 * @param {(error: any) => void} onError
 * @returns {Record<string, any>} by the names of the globals
 */
const vmGlobals = (clock, RealDate, onError) => ({
    ...timersOf(clock, () => clock.elapsed, onError),
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
        ...timersOf(clock, () => clock.scriptElapsed(), onError),
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
