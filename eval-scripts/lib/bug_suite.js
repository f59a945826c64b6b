// @ts-check
// The suite of a forged fault as an evaluation script: each scenario is played once, and each assertion about it is a test. Golden behaviour
// that must survive is a test of each scenario that it is guarded in, under the first seed and once all that is asserted holds.

const {holds, valueAfter} = require('./assertions.js');
const {playScenario} = require('./scenario.js');

/**
 * @typedef {import('./assertions.js').Feature & {id: string, scenario: string, says: string}} Assertion
 * @typedef {{id: string, scenario: string, says: string, feature: import('./assertions.js').Feature}} Guard
 * @typedef {{scenarios: import('./scenario.js').Scenario[], seed: number, all: Guard[]}} Guards scenarios at full length, and the seed
 * @typedef {{every: number, scenarios: import('./scenario.js').Scenario[], assertions: Assertion[], guards?: Guards}} Suite
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
    const counts = Object.create(null);
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

/** @param {string} scenario @returns {string} the name of the test that golden behaviour survives there */
const survival = scenario => `everything else works as before in scenario ${scenario}`;

/**
 * @param {Guard[]} guards of one scenario
 * @param {import('../types').TraceRun} run
 * @param {number} every
 * @returns {import('../types').Detail}
 */
const survived = (guards, run, every) => {
    const broken = guards.filter(guard => !holds(guard.feature, run, every));
    const name = survival(guards[0].scenario);
    if (broken.length === 0) return {name, passed: true};
    const [first] = broken;
    return {name, passed: false, error: `${first.says} no longer (${first.id}); ${broken.length} of ${guards.length} are lost`};
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
    const {guards = {seed: config.seed, scenarios: [], all: []}} = suite;
    const mends = details.every(each => each.passed);
    for (const scenario of guards.scenarios) {
        const name = survival(scenario.id);
        if (!mends) details.push({name, passed: false, error: 'not looked at: an assertion does not hold'});
        // Guards are of one seed. Under another the tests are the same by name, and ask nothing.
        else if (guards.seed !== config.seed) details.push({name, passed: true});
        else {
            await playScenario(await config.reload(), scenario, suite.every);
            const own = guards.all.filter(guard => guard.scenario === scenario.id);
            details.push(survived(own, withClones(config.trace()), suite.every));
        }
    }
    cleanup();
    const passed = details.filter(each => each.passed).length;
    return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
};

module.exports = {bugSuite, withClones};
