// @ts-check
// Judging in real time, to compare: the VM ticks by its own interval, and scripts see the page's clock.

/**
 * @param {any} page the page's `globalThis`
 */
const realTime = page => {
    const started = page.performance.now();
    return {
        parameters: null,
        scriptGlobals: {
            setTimeout: page.setTimeout.bind(page),
            clearTimeout: page.clearTimeout.bind(page),
            setInterval: page.setInterval.bind(page),
            clearInterval: page.clearInterval.bind(page),
            Date: page.Date,
            performance: page.performance
        },
        vmTimers: {setTimeout: page.setTimeout.bind(page), clearTimeout: page.clearTimeout.bind(page)},
        elapsed: () => page.performance.now() - started,
        /** @template T @param {Promise<T>} work @returns {Promise<T>} */
        hold: work => work,
        /** @param {any} _vm nothing to prepare */
        prepare: _vm => {},
        /** @param {any} vm a loaded program */
        start: vm => vm.start(),
        /** @param {any} vm */
        stop: vm => vm.quit(),
        /**
         * @param {() => Promise<void>} evaluate
         * @returns {Promise<boolean>} true: limits in real time are kept by the driver
         */
        run: async evaluate => {
            await evaluate();
            return true;
        },
        end: () => {}
    };
};

module.exports = {realTime};
