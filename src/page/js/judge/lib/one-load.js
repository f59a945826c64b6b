// @ts-check
// The project that this page is loading, which calls wait for one after another: a call lasts as long as its caller
// waits for an answer, and a load as long as the machine takes.

/** One piece of work at a time, with its result for whoever asks first after its end. */
class OneLoad {
    /** @type {Promise<any> | null} */
    #work = null;

    /** Whether there is work, or a result that nobody got. */
    isBusy() {
        return this.#work !== null;
    }

    /** @param {Promise<any>} work that never fails */
    begin(work) {
        this.#work = work;
    }

    /** @param {number} ms how long to wait @returns {Promise<any>} the result, given once; `null` while the work goes on */
    async waitFor(ms) {
        const result = await Promise.race([this.#work, new Promise(resolve => setTimeout(() => resolve(null), ms))]);
        if (result !== null) this.#work = null;
        return result;
    }
}

module.exports = {OneLoad, loads: new OneLoad()};
