// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {stepWhenNeeded} from '../step-when-needed.js';

const monitors = {};

/** @param {object} more what differs from a runtime at rest */
const runtime = (more = {}) => {
    const counts = {steps: 0, draws: 0};
    const made = {
        counts,
        threads: /** @type {object[]} */ ([]),
        profiler: null,
        _refreshTargets: false,
        _monitorState: monitors,
        _prevMonitorState: monitors,
        monitorBlocks: {_cache: {_monitored: []}},
        _hats: {event_whengreaterthan: {edgeActivated: true}, event_whenflagclicked: {}},
        targets: [target('event_whenflagclicked')],
        renderer: {draw: () => counts.draws++},
        _step: () => counts.steps++,
        ...more
    };
    stepWhenNeeded(made);
    return made;
};

/** @param {string} opcode the hat of its one script */
const target = opcode => ({blocks: {getScripts: () => ['a'], getBlock: () => ({opcode})}});

/** @type {(vm: any, times: number) => number} */
const steps = (vm, times) => {
    const before = vm.counts.steps;
    for (let i = 0; i < times; i++) vm._step();
    return vm.counts.steps - before;
};

test('a runtime at rest closes its last run in two steps and then only draws', () => {
    const vm = runtime();
    assert.equal(steps(vm, 10), 2);
    assert.equal(vm.counts.draws, 8);
});

test('a thread wakes it, and its end is told in two more steps', () => {
    const vm = runtime();
    steps(vm, 5);
    vm.threads = [{}];
    assert.equal(steps(vm, 3), 3);
    vm.threads = [];
    assert.equal(steps(vm, 5), 2);
});

for (const [name, more] of Object.entries({
    'a hat that waits for a condition': {targets: [target('event_whengreaterthan')]},
    'a visible monitor': {monitorBlocks: {_cache: {_monitored: [{}]}}},
    'an unknown number of monitors': {monitorBlocks: {_cache: {_monitored: null}}},
    'a monitor that changed': {_monitorState: {}},
    'a target that changed': {_refreshTargets: true},
    'a profiler': {profiler: {}}
})) {
    test(`${name} keeps it stepping`, () => {
        assert.equal(steps(runtime(more), 10), 10);
    });
}

test('a runtime without a renderer rests too', () => {
    assert.equal(steps(runtime({renderer: undefined}), 5), 2);
});
