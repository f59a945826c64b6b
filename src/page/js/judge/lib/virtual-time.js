// @ts-check
// Judging in virtual time: one clock for the VM and the script, apart from the page's own.

const {borrow, scriptGlobals, vmGlobals} = require('./clock-globals.js');
const {VirtualClock} = require('./virtual-clock.js');

/** The VM's ticks, 30 a second; what one reading of the clock takes; 2024-01-01, 12:00 UTC. */
const PARAMETERS = Object.freeze({tick_ms: 1000 / 30, epsilon_ms: 0.05, epoch_ms: 1704110400000});

/**
 * A turn of the page's event loop, without the delay of a timer.
 * @param {any} page the page's `globalThis`
 * @returns {() => Promise<void>}
 */
const breather = page => {
    const {port1, port2} = new page.MessageChannel();
    /** @type {(() => void)[]} */
    const waiting = [];
    port1.onmessage = () => waiting.shift()?.();
    return () =>
        new Promise(resolve => {
            waiting.push(resolve);
            port2.postMessage(null);
        });
};

/**
 * @param {any} page the page's `globalThis`
 * @param {{random: () => number, limitMs: number, onError: (error: any) => void, timerClass: any}} how `random`
 *     is what the VM draws ids from; `onError` is told of exceptions in timers; `timerClass` is the VM's Timer
 */
const virtualTime = (page, {random, limitMs, onError, timerClass}) => {
    const clock = new VirtualClock(PARAMETERS);
    const forVm = vmGlobals(clock, page.Date, onError);
    // The VM's timers take their clock from here when they are made.
    const original = Object.getOwnPropertyDescriptor(timerClass, 'nowObj');
    Object.defineProperty(timerClass, 'nowObj', {configurable: true, get: () => ({now: () => clock.vmNow()})});
    const breathe = breather(page);
    /** @type {any} */
    let ticking = null;
    const tick = (/** @type {any} */ vm) => {
        if (ticking !== vm) return;
        clock.schedule(PARAMETERS.tick_ms, () => tick(vm));
        vm.runtime._step();
    };
    return {
        parameters: PARAMETERS,
        scriptGlobals: scriptGlobals(clock, page.Date, onError),
        vmTimers: forVm,
        elapsed: () => clock.elapsed,
        /** @template T @param {Promise<T>} work @returns {Promise<T>} */
        hold: work => clock.hold(work),
        /** @param {any} vm a VM without a program */
        prepare: vm => {
            const {runtime} = vm;
            vm.start = () => {};
            runtime.start = () => {};
            runtime.currentStepTime = PARAMETERS.tick_ms;
            runtime.updateCurrentMSecs = () => {
                runtime.currentMSecs = clock.date();
            };
            runtime.updateCurrentMSecs();
        },
        /** @param {any} vm a loaded program */
        start: vm => {
            ticking = vm;
            clock.schedule(PARAMETERS.tick_ms, () => tick(vm));
        },
        /** @param {any} vm */
        stop: vm => {
            if (ticking === vm) ticking = null;
        },
        /**
         * @param {() => Promise<void>} evaluate
         * @returns {Promise<boolean>} whether it ended within the limit
         */
        run: evaluate => {
            let over = false;
            clock.schedule(0, () => {
                const done = () => (over = true);
                evaluate().then(done, done);
            });
            const lend = () => {
                const [globals, chance] = [borrow(page, forVm), borrow(page.Math, {random})];
                return () => {
                    chance();
                    globals();
                };
            };
            return clock.run({isOver: () => over, limitMs, borrow: lend, breathe});
        },
        end: () => {
            if (original) Object.defineProperty(timerClass, 'nowObj', original);
        }
    };
};

module.exports = {PARAMETERS, virtualTime};
