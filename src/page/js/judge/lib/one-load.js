// @ts-check
// The project that this page loads, which calls wait for one after another: a call lasts as long as its caller waits for
// an answer, and a load as long as the machine takes.

/** One piece of work at a time. Its result is told as often as it is asked for, since an answer may be lost on its way. */
class OneLoad {
    /** @type {{number: number, work: Promise<any>} | null} */
    #last = null;

    /** @param {number} number @returns {boolean} whether the work that was begun last has this number */
    has(number) {
        return this.#last?.number === number;
    }

    /** @param {number} number of no other work @param {Promise<any>} work */
    begin(number, work) {
        this.#last = {number, work};
    }

    /** @param {number} ms how long to wait @returns {Promise<any>} the result; `null` while the work goes on, or without any */
    async waitFor(ms) {
        if (!this.#last) return null;
        return Promise.race([this.#last.work, new Promise(resolve => setTimeout(() => resolve(null), ms))]);
    }
}

module.exports = {OneLoad, loads: new OneLoad()};
