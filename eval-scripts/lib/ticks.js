// @ts-check
// Waiting in the program's own time: conditions are looked at after each tick of the VM, so that nothing
// is missed between samples and a slow machine changes no result.

const {Unmet} = require('./expect.js');

/** The end of a case from outside; waits of a cancelled case never go on. */
class Cancelled extends Error {}

/** Counts the ticks of one VM. */
class Ticks {
    /** @param {import('../types').Vm} vm the VM to watch */
    constructor(vm) {
        this.count = 0;
        /** @type {Set<{tick: () => void, cancel: () => void}>} */
        this.waiters = new Set();
        this.cancelled = false;
        const step = vm.runtime._step;
        vm.runtime._step = (...args) => {
            step.apply(vm.runtime, args);
            this.count += 1;
            for (const waiter of [...this.waiters]) waiter.tick();
        };
    }

    /** Ends all waits, now and later. */
    cancel() {
        this.cancelled = true;
        for (const waiter of [...this.waiters]) waiter.cancel();
    }

    /**
     * @param {() => boolean} condition looked at now and after each tick
     * @param {(() => Error) | null} giveUp makes the error for a wait that is too long
     * @param {number} ms how long that is; ignored without `giveUp`
     * @returns {Promise<void>}
     */
    wait(condition, giveUp, ms) {
        return new Promise((resolve, reject) => {
            if (this.cancelled) return reject(new Cancelled('the case has ended'));
            const started = Date.now();
            /** @param {() => void} end what to do when the wait is over */
            const over = end => {
                this.waiters.delete(waiter);
                end();
            };
            const look = () => {
                try {
                    if (condition()) return over(resolve);
                } catch (error) {
                    return over(() => reject(error));
                }
                if (giveUp && Date.now() - started >= ms) over(() => reject(giveUp()));
            };
            const waiter = {tick: look, cancel: () => over(() => reject(new Cancelled('the case has ended')))};
            this.waiters.add(waiter);
            look();
        });
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
     * @param {number} ms how long to wait for it, in milliseconds of project time
     * @returns {Promise<void>} fails the case when the time is over
     */
    until(what, condition, ms) {
        return this.wait(condition, () => new Unmet(`within ${ms} ms it never happened that ${what}`), ms);
    }
}

module.exports = {Ticks, Cancelled};
