// @ts-check
// The suite of a forged fault as an evaluation script: each scenario is played once, and each assertion about it is a test.

const {holds, valueAfter} = require('./assertions.js');
const {playScenario} = require('./scenario.js');

/**
 * @typedef {import('./assertions.js').Feature & {id: string, scenario: string, says: string}} Assertion
 * @typedef {{every: number, scenarios: import('./scenario.js').Scenario[], assertions: Assertion[]}} Suite
 */

/**
 * Adds how many clones each sprite has, which a trace tells by their coming and going.
 * @param {import('../types').TraceRun} run
 * @returns {import('../types').TraceRun}
 */
const withClones = run => {
    const signals = {...run.signals};
    const events = signals['events/clone'] ?? {t: [], v: []};
    /** @type {Record<string, number>} */
    const counts = {};
    for (const name of Object.keys(signals)) {
        const sprite = name.endsWith('/x') && !name.includes('#') ? name.slice(0, -2) : null;
        if (sprite) {
            signals[`clones/${sprite}`] = {t: [0], v: [0]};
            counts[sprite] = 0;
        }
    }
    events.v.forEach((text, at) => {
        const [, sprite, ends] = /^(.*)#\d+( ends)?$/.exec(text) ?? [];
        const column = signals[`clones/${sprite}`];
        if (!column) return;
        counts[sprite] += ends ? -1 : 1;
        // Several may come and go within a tick.
        if (column.t.at(-1) === events.t[at]) column.v[column.v.length - 1] = counts[sprite];
        else {
            column.t.push(events.t[at]);
            column.v.push(counts[sprite]);
        }
    });
    return {...run, signals};
};

/**
 * What was seen instead, where that is one value.
 * @param {Assertion} assertion
 * @param {import('../types').TraceRun} run
 */
const seen = (assertion, run) => {
    if (!('signal' in assertion && 'after' in assertion)) return 'it was otherwise';
    const value = valueAfter(run, assertion.signal, assertion.after);
    return value === undefined ? 'it was not there' : `it was ${JSON.stringify(value)}`;
};

/** @param {Assertion} assertion @param {import('../types').TraceRun} run @param {number} every @returns {import('../types').Detail} */
const detail = (assertion, run, every) => {
    const passed = holds(assertion, run, every);
    const name = `${assertion.says} (${assertion.id}, scenario ${assertion.scenario})`;
    return passed ? {name, passed} : {name, passed, error: seen(assertion, run)};
};

/**
 * @param {Suite} suite
 * @returns {import('../types').Script}
 */
const bugSuite = suite => async (vm, config, cleanup) => {
    /** @type {import('../types').Detail[]} */
    const details = [];
    for (const scenario of suite.scenarios) {
        const asserted = suite.assertions.filter(assertion => assertion.scenario === scenario.id);
        if (asserted.length === 0) continue;
        await playScenario(await config.reload(), scenario, suite.every);
        const run = withClones(config.trace());
        details.push(...asserted.map(assertion => detail(assertion, run, suite.every)));
    }
    cleanup();
    const passed = details.filter(each => each.passed).length;
    return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
};

module.exports = {bugSuite, withClones};
