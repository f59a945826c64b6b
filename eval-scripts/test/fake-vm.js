// @ts-check
// A VM without Scratch: it ticks when told to, and records what is posted to it.

/**
 * @param {any[]} targets what the program consists of, defaults filled in
 * @returns {any} a Vm with `posted` and `during()`
 */
const fakeVm = (targets = []) => {
    /** @type {Map<string, ((...args: any[]) => void)[]>} */
    const listeners = new Map();
    /** @type {any[]} */
    const posted = [];
    const runtime = {
        targets: targets.map(target => ({isOriginal: true, isStage: false, variables: {}, ...target})),
        threads: [],
        renderer: {
            canvas: {clientWidth: 480, clientHeight: 360},
            getBounds: () => ({left: -10, right: 10, top: 10, bottom: -10}),
            pick: () => 7
        },
        _step() {},
        on: (/** @type {string} */ event, /** @type {any} */ listener) => {
            listeners.set(event, [...(listeners.get(event) || []), listener]);
        },
        off() {},
        emit: (/** @type {string} */ event, /** @type {any[]} */ ...args) => {
            for (const listener of listeners.get(event) || []) listener(...args);
        }
    };
    return {
        runtime,
        posted,
        greenFlag() {},
        stopAll() {},
        postIOData: (/** @type {string} */ device, /** @type {object} */ data) => posted.push({device, ...data}),
        /**
         * Ticks for as long as some work goes on.
         * @param {Promise<any>} work
         */
        async during(work) {
            let over = false;
            const done = work.finally(() => {
                over = true;
            });
            done.catch(() => {});
            while (!over) {
                runtime._step();
                await new Promise(resolve => setTimeout(resolve, 0));
            }
            return done;
        }
    };
};

module.exports = {fakeVm};
