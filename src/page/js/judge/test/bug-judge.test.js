// @ts-check
// The judge of packs of forged faults (assets/task-templates/bug-judge.js), which asks for the errors on the console.
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {recordConsole} = require('../lib/console-record.js');
const {runScript} = require('../lib/evaluation-module.js');

const TEMPLATE = readFileSync(join(__dirname, '../../../../../assets/task-templates/bug-judge.js'), 'utf8');
/** A suite that holds unless its config says otherwise; and scenarios that are lines for the console. */
const HELPERS = [
    {
        name: 'lib/bug_suite.js',
        source: `const {playScenario} = require('./scenario.js');
            exports.bugSuite = suite => async (vm, config, cleanup) => {
                for (const scenario of suite.scenarios) await playScenario(await config.reload(), scenario, suite.every);
                cleanup();
                return {success: config.holds, details: [{name: 'a1', passed: config.holds}]};
            };`
    },
    {
        name: 'lib/scenario.js',
        source: `exports.playScenario = async (vm, scenario) => {
                vm.played.push(scenario.id);
                for (const [level, ...args] of scenario.lines) console[level](...args);
            };`
    }
];

/** @param {string} id @param {any[]} lines */
const scenario = (id, ...lines) => ({id, lines});

/**
 * @param {any[][]} scenarios those of the suite, and those for the console alone
 * @param {object} [rest] of the config
 * @param {string[]} [known] what the golden project writes
 */
const judged = async ([scenarios, others], rest = {}, known = []) => {
    const suite = {every: 10, scenarios, assertions: [], console: {seed: 1, scenarios: others, known}};
    const source = TEMPLATE.replace('const suite = SUITE;', `const suite = ${JSON.stringify(suite)};`);
    /** @type {string[]} */
    const written = [];
    /** @type {any} */
    const console = Object.fromEntries(['debug', 'log', 'info', 'warn', 'error'].map(level => [level, (/** @type {any[]} */ ...args) => written.push(args.join(' '))]));
    const record = recordConsole(console);
    const vm = {played: /** @type {string[]} */ ([])};
    let ends = 0;
    const load = async () => {
        console.error('the program announces itself');
        return vm;
    };
    const config = {seed: 1, holds: true, reload: () => record.loading(load), newErrors: record.newErrors, ...rest};
    // eslint-disable-next-line no-eval -- what a page hands in.
    const sources = {compile: globalThis.eval, script: {name: 'moth.js', source}, prelude: null, helpers: HELPERS};
    const report = await runScript(sources, {console}, [vm, config, () => (ends += 1)]);
    assert.equal(ends, 1, 'the program is stopped once');
    return {report, written, played: vm.played};
};

test('an error that the golden project does not write fails what holds otherwise, in whichever scenario', async () => {
    const quiet = await judged([[scenario('s1', ['log', 'hello'], ['warn', 'odd'])], [scenario('s2')]]);
    assert.deepEqual([quiet.report.success, quiet.report.passed_tests, quiet.report.total_tests], [true, 2, 2]);
    assert.deepEqual(quiet.played, ['s1', 's2']);
    const late = await judged([[scenario('s1')], [scenario('s2', ['error', 'x is null'])]]);
    assert.deepEqual([late.report.success, late.report.passed_tests], [false, 1]);
    assert.deepEqual(late.report.details.at(-1).error, 'x is null');
    assert.ok(late.written.includes('x is null'), 'whoever else listens hears it, too');
    const logged = await judged([[scenario('s1', ['log', '2024-01-01 12:00:01\tERROR\tvm\tno such block'])], []]);
    assert.equal(logged.report.details.at(-1).error, 'ERROR\tvm\tno such block');
});

test('what the golden project writes counts for nothing, wherever its code lies', async () => {
    const lines = ['error', 'TypeError: x is null\n    at http://127.0.0.1:4711/gui.js:1:2'];
    const known = ['TypeError: x is null\n    at http://127.0.0.1:815/gui.js:1:2'];
    const same = await judged([[scenario('s1', lines)], []], {}, known);
    assert.equal(same.report.success, true);
    const other = await judged([[scenario('s1', ['error', 'TypeError: y is null'])], []], {}, known);
    assert.equal(other.report.success, false);
});

test('the tests are the same by name under every seed and whatever holds, and only the first seed plays more', async () => {
    const suite = () => [[scenario('s1')], [scenario('s2', ['error', 'broken'])]];
    const names = (/** @type {any} */ {report}) => report.details.map((/** @type {any} */ {name}) => name);
    const [first, second, wrong] = [await judged(suite()), await judged(suite(), {seed: 2}), await judged(suite(), {holds: false})];
    assert.deepEqual([names(second), names(wrong)], [names(first), names(first)]);
    assert.deepEqual([first, second, wrong].map(one => one.played.length), [2, 1, 1]);
    assert.deepEqual([first, second, wrong].map(one => one.report.success), [false, true, false]);
    assert.match(wrong.report.details.at(-1).error, /^not looked at/);
});

test('a long line with an address is the same error wherever the editor is served from', async () => {
    const line = (/** @type {number} */ port) => `TypeError: http://127.0.0.1:${port}/gui.js has no ${'x'.repeat(600)}`;
    const golden = await judged([[scenario('s1', ['error', line(815)])], []]);
    // As the record of the golden project's play has it.
    const known = [golden.report.details.at(-1).error];
    const same = await judged([[scenario('s1', ['error', line(47110)])], []], {}, known);
    assert.equal(same.report.success, true);
    const raw = await judged([[scenario('s1', ['error', line(47110)])], []], {}, [line(815).slice(0, 493)]);
    assert.equal(raw.report.success, true, 'a line that was cut before its address was taken out');
});
