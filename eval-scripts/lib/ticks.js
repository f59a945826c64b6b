// @ts-check
// Waiting in the program's own time: conditions are looked at after each tick of the VM, so that nothing
// is missed between samples and a slow machine changes no result.

const {Unmet} = require('./expect.js');

/** Ticks of the VM in a second of project time. */
const TICKS_PER_SECOND = 30;

/** Ticks for which a program is watched at least, to see whether anything else comes. */
const REST_AT_LEAST = 60;
/** Ticks after which a program is left alone that never comes to rest. */
const REST_AT_MOST = 150;

/** The end of a case from outside; waits of a cancelled case never go on. */
class Cancelled extends Error {
    constructor() {
        super('the case has ended');
    }
}

/** Counts the ticks of one VM. */
class Ticks {
    /** @param {import('../types').Vm} vm the VM to watch */
    constructor(vm) {
        /** Ticks that have ended; within a tick, the number of that tick, from 0 as in traces. */
        this.count = 0;
        /** @type {Set<{tick: () => void, cancel: () => void, what: string}>} */
        this.waiters = new Set();
        /** @type {Set<(tick: number) => void>} */
        this.observers = new Set();
        this.cancelled = false;
        /** @type {{error: any} | null} What an observer threw first: the case fails by it, whatever comes later. */
        this.failure = null;
        this.runtime = vm.runtime;
        const step = vm.runtime._step;
        vm.runtime._step = (...args) => {
            step.apply(vm.runtime, args);
            for (const observer of this.observers) this.#tell(observer);
            this.count += 1;
            for (const waiter of [...this.waiters]) waiter.tick();
        };
    }

    /**
     * An observer runs in the program's own tick, which must not break by it: waits do.
     * @param {(tick: number) => void} observer
     */
    #tell(observer) {
        try {
            observer(this.count);
        } catch (error) {
            this.observers.delete(observer);
            this.failure ??= {error};
        }
    }

    /** Ends all waits and observations, now and later. */
    cancel() {
        this.cancelled = true;
        this.observers.clear();
        for (const waiter of [...this.waiters]) waiter.cancel();
    }

    /** Throws when the case has ended: what is left of it must not reach the program. */
    mustGoOn() {
        if (this.cancelled) throw new Cancelled();
    }

    /**
     * Looks at the program after each tick, before any wait does.
     * @param {(tick: number) => void} observer is told the number of the tick, from 0. Expectations in it fail the case in that tick
     * @returns {() => void} ends it
     */
    observe(observer) {
        this.mustGoOn();
        this.observers.add(observer);
        return () => {
            this.observers.delete(observer);
        };
    }

    /**
     * @param {() => boolean} condition looked at now and after each tick
     * @param {(() => Error) | null} giveUp makes the error for a wait that is too long
     * @param {number} ms how long that is; ignored without `giveUp`
     * @param {string} [what] what is waited for, told if the case ends before
     * @returns {Promise<void>}
     */
    wait(condition, giveUp, ms, what = '') {
        /** @type {Promise<void>} */
        const end = new Promise((resolve, reject) => {
            if (this.cancelled) return reject(new Cancelled());
            if (this.failure) return reject(this.failure.error);
            const started = Date.now();
            /** @param {() => void} end what to do when the wait is over */
            const over = end => {
                this.waiters.delete(waiter);
                end();
            };
            const look = () => {
                const {failure} = this;
                if (failure) return over(() => reject(failure.error));
                try {
                    if (condition()) return over(resolve);
                } catch (error) {
                    return over(() => reject(error));
                }
                if (giveUp && Date.now() - started >= ms) over(() => reject(giveUp()));
            };
            const waiter = {tick: look, cancel: () => over(() => reject(new Cancelled())), what};
            this.waiters.add(waiter);
            look();
        });
        // Whoever awaits it hears of a rejection; one that nobody awaits is no news for the page.
        end.catch(() => {});
        return end;
    }

    /**
     * @param {number} n ticks to let pass; a thirtieth of a second each
     * @returns {Promise<void>}
     */
    pass(n) {
        const end = this.count + n;
        return this.wait(() => this.count >= end, null, 0);
    }

    /**
     * @param {string} what completes "it never happened that"
     * @param {() => boolean} condition looked at after each tick
     * @param {number} [ms] how long to wait for it, in milliseconds of project time, where the instruction states a time;
     *     until the case's own limit without it
     * @returns {Promise<void>} fails the case when the time is over
     */
    until(what, condition, ms = Infinity) {
        return this.wait(condition, () => new Unmet(`within ${ms} ms it never happened that ${what}`), ms, what);
    }

    /** @returns {string} what is waited for just now, as `until` was told; empty when it is nothing by name */
    get awaited() {
        return [...this.waiters].map(waiter => waiter.what).join('');
    }

    /**
     * Whether scripts run. One that waits, asks or glides runs, too; monitors, and scripts that were stopped, do not.
     * A hat that waits for its condition runs only when this holds.
     * @returns {boolean}
     */
    get busy() {
        return this.runtime.threads.some(thread => !thread.updateMonitor && !thread.isKilled);
    }

    /**
     * Watches the program until no script of it runs, so that nothing more can come of what was done to it.
     * @param {number} [atLeast] ticks for which it is watched in any case
     * @param {number} [atMost] ticks after which it is left alone, as a loop that never ends must be
     * @returns {Promise<boolean>} whether it came to rest
     */
    async rest(atLeast = REST_AT_LEAST, atMost = Math.max(atLeast, REST_AT_MOST)) {
        const start = this.count;
        const watched = () => this.count - start;
        await this.wait(() => watched() >= atMost || (watched() >= atLeast && !this.busy), null, 0);
        return !this.busy;
    }

    /**
     * @param {string} what completes "it should stay so that"
     * @param {() => boolean} condition looked at now and after each tick
     * @param {number} n ticks for which it must hold
     * @returns {Promise<void>} fails the case as soon as it does not hold
     */
    always(what, condition, n) {
        const start = this.count;
        const over = () => {
            const passed = this.count - start;
            if (!condition()) throw new Unmet(`it should stay so that ${what}, but after ${passed} ticks it was not`);
            return passed >= n;
        };
        return this.wait(over, null, 0);
    }
}

module.exports = {Ticks, Cancelled, TICKS_PER_SECOND};
