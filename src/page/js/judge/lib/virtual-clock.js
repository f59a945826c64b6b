// @ts-check
// A time of its own for judging: events happen in the order of their time, and nothing waits in between.
//
// Reading the clock takes time, a fixed epsilon a reading, so a loop that waits for time to pass ends after
// a fixed number of rounds. The VM reads its budgets (25 ms a tick, 500 ms of a run without screen refresh)
// so often that its readings start anew with each event; otherwise a long loop would slow the whole program
// down as no machine does. A script's readings never go back.

/** Promise reactions that one event may set off, one behind another, while the VM's globals are borrowed. */
const REACTIONS = 40;
/** Ids of virtual timers start here, so that they are never taken for real ones. */
const FIRST_ID = 1e9;

/** Times of timers are whole nanoseconds, so that sums of thirds of a millisecond that should be equal are. */
const PER_MS = 1e6;
/** What products of such times are off at most, in nanoseconds. */
const ROUNDING = 0.01;

/**
 * @typedef {{time: number, id: number, nesting: number, run: () => void}} Event `nesting` counts the timers, one set by
 *     the other, that lead to this one; 0 for what no timer set
 * @typedef {{tick_ms: number, epsilon_ms: number, epoch_ms: number}} Parameters milliseconds; `epoch_ms` is the date
 *     at which virtual time starts
 */

/** Events by time, then by id. */
class Queue {
    /** @type {Event[]} the next one last */
    #events = [];

    /** @param {Event} event */
    add(event) {
        let [low, high] = [0, this.#events.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            const other = this.#events[middle];
            if (other.time > event.time || (other.time === event.time && other.id > event.id)) low = middle + 1;
            else high = middle;
        }
        this.#events.splice(low, 0, event);
    }

    /** @param {number} id */
    remove(id) {
        const at = this.#events.findIndex(event => event.id === id);
        if (at >= 0) this.#events.splice(at, 1);
    }

    next() {
        return this.#events.pop();
    }
}

/** One judgement's time. */
class VirtualClock {
    #queue = new Queue();
    #nextId = FIRST_ID;
    #readings = 0;
    #scriptTime = 0;
    /** @type {Set<Promise<any>>} real work during which time stands still */
    #held = new Set();

    /** @param {Parameters} parameters */
    constructor(parameters) {
        this.parameters = parameters;
        /** Milliseconds since the start at which the event in progress happens. */
        this.elapsed = 0;
        /** How many timers lead to the event in progress, and to the promise reactions that it sets off. */
        this.nesting = 0;
    }

    /** @returns {number} the date for the VM, in milliseconds; each reading takes an epsilon */
    vmNow() {
        this.#readings += 1;
        return this.date() + this.#readings * this.parameters.epsilon_ms;
    }

    /** @returns {number} the date for the script, in milliseconds; never before an earlier reading */
    scriptNow() {
        this.#scriptTime = Math.max(this.#scriptTime, this.elapsed) + this.parameters.epsilon_ms;
        return this.parameters.epoch_ms + this.#scriptTime;
    }

    /**
     * A script that reads the clock until some time has passed has taken that time: its timers count from the end.
     * @returns {number} milliseconds since the start, for a script; asking takes no time
     */
    scriptElapsed() {
        return this.elapsed + Math.max(0, Math.floor(this.#scriptTime - this.elapsed));
    }

    /** @returns {number} the date of the event in progress; asking takes no time */
    date() {
        return this.parameters.epoch_ms + this.elapsed;
    }

    /**
     * @param {number} delay milliseconds from now
     * @param {() => void} run
     * @returns {number} for `cancel`
     */
    schedule(delay, run) {
        const id = this.newId();
        this.#queue.add({time: this.elapsed + Math.max(0, Number(delay) || 0), id, nesting: 0, run});
        return id;
    }

    /** @returns {number} for an event: of those due together, the one with the lower id happens first */
    newId() {
        return this.#nextId++;
    }

    /** @param {Event} event a timer's, which may have been here before */
    add(event) {
        const time = Math.floor(event.time * PER_MS + ROUNDING) / PER_MS;
        this.#queue.add({...event, time: Math.max(this.elapsed, time)});
    }

    /** @param {number} id */
    cancel(id) {
        this.#queue.remove(id);
    }

    /**
     * Lets time stand still while real work, such as loading a project, goes on.
     * @template T
     * @param {Promise<T>} work
     * @returns {Promise<T>} settles as an event of this clock, when the work has ended
     */
    hold(work) {
        this.#held.add(work);
        return new Promise((resolve, reject) => {
            const end = (/** @type {() => void} */ settle) => {
                this.#held.delete(work);
                this.schedule(0, settle);
            };
            work.then(value => end(() => resolve(value)), error => end(() => reject(error)));
        });
    }

    /**
     * Lets time pass, event by event, until told to end or until a limit is reached.
     * @param {{isOver: () => boolean, limitMs: number, borrow: () => () => void, breathe: () => Promise<void>}} how
     *     `borrow` lends the VM this clock's globals and returns the way back; `breathe` gives the page a turn,
     *     in which promise reactions that are left run to their end
     * @returns {Promise<boolean>} whether it ended before the limit
     */
    async run({isOver, limitMs, borrow, breathe}) {
        while (!isOver()) {
            if (this.#held.size > 0) {
                await Promise.allSettled(this.#held);
                await breathe();
                continue;
            }
            const event = this.#queue.next();
            // With nothing left to come, whoever still waits waits for ever.
            if (!event || event.time > limitMs) return false;
            this.elapsed = event.time;
            this.nesting = event.nesting;
            this.#readings = 0;
            const giveBack = borrow();
            try {
                event.run();
                for (let i = 0; i < REACTIONS; i++) await null;
            } finally {
                giveBack();
            }
            await breathe();
        }
        return true;
    }
}

module.exports = {VirtualClock};
