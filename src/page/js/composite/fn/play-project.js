// @ts-check
// Clicks the green flag, lets the project play for a while, and tells what was said and what is shown.

const {flush} = require('../../shared/lib/frames');

/** Things said that are kept, and letters of a text. */
const KEPT = 50;
const LETTERS = 200;
/** Steps of the VM a second; on a machine with too much to do they come late. */
const STEPS_A_SECOND = 30;
/** How much longer than asked for the steps may take, in seconds. */
const PATIENCE = 10;

/** @typedef {{at: number, sprite: string, text: string, thought?: boolean}} Said */

/** @param {unknown} value @returns {string} the beginning of it */
const shortened = value => {
    const letters = [...String(value)];
    return letters.length > LETTERS ? `${letters.slice(0, LETTERS).join('')}…` : letters.join('');
};

/** @param {any} vm @returns {boolean} whether scripts run; the threads that only read monitors do not count */
const isRunning = vm => vm.runtime.threads.some((/** @type {any} */ thread) => !thread.updateMonitor);

/**
 * @param {any} vm
 * @returns {{label: string, value: string}[]} monitors that are shown
 */
const shown = vm => vm.runtime.getMonitorState().valueSeq().toArray().filter((/** @type {any} */ one) => one.get('visible'))
    .map((/** @type {any} */ one) => {
        const {VARIABLE, LIST} = one.get('params') || {};
        const name = VARIABLE || LIST || one.get('opcode');
        // A monitor that has just come up shows its value from the next step on.
        const variable = vm.runtime.targets.map((/** @type {any} */ target) => target.variables[one.get('id')]).find(Boolean);
        const value = variable ? variable.value : one.get('value');
        return {
            label: one.get('spriteName') ? `${one.get('spriteName')}: ${name}` : name,
            value: shortened(Array.isArray(value) ? value.join(', ') : value)
        };
    });

/** @type {import('../../types/page').PageFn<{seconds: number}, any>} */
module.exports = async ({vm}, {seconds}) => {
    const {runtime} = vm;
    /** @type {Said[]} */
    const said = [];
    /** @type {string | null} */
    let asks = null;
    let steps = 0;
    vm.stopAll();
    const started = performance.now();
    const elapsed = () => (performance.now() - started) / 1000;
    const rounded = () => Math.round(elapsed() * 100) / 100;
    const onSay = (/** @type {any} */ target, /** @type {string} */ type, /** @type {unknown} */ text) => {
        if (text !== '' && said.length < KEPT) {
            said.push({at: rounded(), sprite: target.getName(), text: shortened(text), ...(type === 'think' && {thought: true})});
        }
    };
    // A sprite that can be seen asks in a bubble, and leaves the question itself empty.
    const onQuestion = (/** @type {string | null} */ question) => {
        asks = question === null ? null : shortened(question) || (said.at(-1)?.text ?? '');
    };
    const step = runtime._step;
    runtime._step = function () {
        steps += 1;
        return step.call(this);
    };
    runtime.on('SAY', onSay);
    runtime.on('QUESTION', onQuestion);
    try {
        vm.greenFlag();
        const isOver = () => elapsed() >= seconds && steps >= seconds * STEPS_A_SECOND;
        // Hats that wait for the first step of the VM are threads already.
        while (isRunning(vm) && !isOver() && elapsed() < seconds + PATIENCE) await flush();
        return {seconds: rounded(), running: isRunning(vm), said, ...(asks === null ? {} : {asks}), monitors: shown(vm)};
    } finally {
        runtime.off('SAY', onSay);
        runtime.off('QUESTION', onQuestion);
        runtime._step = step;
    }
};
