// @ts-check
/**
 * Runs programs of timers with this page's own timers, all at once, and tells what they told by their names.
 */

/**
 * @typedef {{source: string, names: string[]}} Args `source` is that of timer-programs.js
 */

/** @type {import('../../../src/page/js/types/page').PageFn<Args, any>} */
module.exports = async (_page, {source, names}) => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const module = {exports: /** @type {any} */ ({})};
    const own = /** @type {any} */ (frame.contentWindow);
    own.eval(`(function(module){${source}\n})`)(module);
    const timers = {
        setTimeout: setTimeout.bind(window),
        setInterval: setInterval.bind(window),
        clearTimeout: clearTimeout.bind(window),
        clearInterval: clearInterval.bind(window),
        Date
    };
    const {busy, names: all, runProgram} = module.exports;
    const told = await Promise.all(names.map(async name => [name, await runProgram(name, timers)]));
    frame.remove();
    return {busy, names: all, told: Object.fromEntries(told)};
};
