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
