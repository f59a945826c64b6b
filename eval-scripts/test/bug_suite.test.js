// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {bugSuite, withClones} = require('../lib/bug_suite.js');
const {fakeVm} = require('./fake-vm.js');

test('clones are counted by their coming and going', () => {
    const signals = {
        'Moth/x': {t: [0], v: [0]},
        'Moth#1/x': {t: [4], v: [0]},
        'Stage/costume': {t: [0], v: ['night']},
        'events/clone': {t: [4, 4, 9], v: ['Moth#1', 'Moth#2', 'Moth#1 ends']}
    };
    const counted = withClones({ticks: 20, signals});
    assert.deepEqual(counted.signals['clones/Moth'], {t: [0, 4, 9], v: [0, 2, 1]});
    assert.equal(counted.signals['clones/Moth#1'], undefined);
});

test('each scenario is played in a program of its own, and each assertion is a test', async () => {
    const scenario = (/** @type {string} */ id) => ({id, template: 'idle', length: 10, answers: [], steps: []});
    const asserted = (/** @type {string} */ id, /** @type {string} */ of, /** @type {number} */ value) =>
        ({id, scenario: of, kind: 'equals', signal: 'Kite/x', after: 10, value, says: `the x position of Kite is ${value}`});
    const suite = {
        every: 10,
        scenarios: [scenario('s1'), scenario('s2'), scenario('guard')],
        assertions: [asserted('a1', 's1', 5), asserted('a2', 's2', 7)]
    };
    let loaded = 0;
    const vms = [fakeVm([{sprite: {name: 'Kite'}, blocks: {_blocks: {}}}]), fakeVm([{sprite: {name: 'Kite'}, blocks: {_blocks: {}}}])];
    const config = /** @type {any} */ ({
        reload: async () => vms[loaded++],
        trace: () => ({ticks: 10, signals: {'Kite/x': {t: [0], v: [5]}}})
    });
    const report = bugSuite(suite)(vms[0], config, () => {});
    // Each program is at rest, and ends at its first checkpoint.
    const {success, passed_tests, total_tests, details} = await vms[0].during(vms[1].during(report));
    assert.deepEqual([success, passed_tests, total_tests, loaded], [false, 1, 2, 2]);
    assert.deepEqual(details.map((/** @type {any} */ {passed, error}) => [passed, error]), [[true, undefined], [false, 'it was 5']]);
});

test('what must survive is looked at under the first seed, once all that is asserted holds', async () => {
    const scenario = {id: 's1', template: 'idle', length: 10, answers: [], steps: []};
    const feature = (/** @type {number} */ value) => ({kind: 'only', signal: 'Kite/y', values: [value], until: 10});
    const guard = (/** @type {string} */ id, /** @type {number} */ value) => ({id, scenario: 's1', says: `Kite stays at ${value}`, feature: feature(value)});
    const asserted = (/** @type {number} */ value) =>
        [{id: 'a1', scenario: 's1', kind: 'equals', signal: 'Kite/x', after: 10, value, says: `the x position of Kite is ${value}`}];
    const judged = async (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ seed) => {
        const suite = {every: 5, scenarios: [scenario], assertions: asserted(5), guards: {scenarios: [scenario], seed: 1, all: [guard('g1', 0), guard('g2', 7)]}};
        const vms = [1, 2].map(() => fakeVm([{sprite: {name: 'Kite'}, blocks: {_blocks: {}}}]));
        let loaded = 0;
        const trace = () => ({ticks: 10, signals: {'Kite/x': {t: [0], v: [x]}, 'Kite/y': {t: [0], v: [y]}}});
        const config = /** @type {any} */ ({seed, reload: async () => vms[loaded++], trace});
        return vms[0].during(vms[1].during(bugSuite(suite)(vms[0], config, () => {})));
    };
    const broken = await judged(5, 0, 1);
    assert.deepEqual(broken.details.map((/** @type {any} */ {passed, error}) => [passed, error]), [
        [true, undefined],
        [false, 'Kite stays at 7 no longer (g2); 1 of 2 are lost']
    ]);
    assert.deepEqual([broken.success, broken.total_tests], [false, 2]);
    const names = (/** @type {any} */ report) => report.details.map((/** @type {any} */ {name}) => name);
    const [other, wrong] = [await judged(5, 0, 2), await judged(4, 0, 1)];
    assert.deepEqual(names(other), names(broken), 'the same tests under every seed');
    assert.deepEqual(names(wrong), names(broken), 'and whatever holds');
    assert.deepEqual([other.success, other.passed_tests], [true, 2]);
    assert.deepEqual([wrong.success, wrong.passed_tests], [false, 0]);
});
