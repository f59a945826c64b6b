// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {playScenario} = require('../lib/scenario.js');
const {fakeVm} = require('./fake-vm.js');

const kite = {sprite: {name: 'Kite'}, x: 0, y: 0, drawableID: 7, blocks: {_blocks: {}}};

/** @param {any} vm @param {any} scenario @returns {Promise<any>} */
const played = async (vm, scenario) => {
    vm.posted.length = 0;
    return vm.during(playScenario(vm, {id: 's1', template: 't', answers: [], ...scenario}, 10));
};

test('inputs come before the ticks that they are meant for', async () => {
    const vm = fakeVm([kite]);
    vm.runtime.threads = [{updateMonitor: false}];
    /** @type {[string, number][]} */
    const seen = [];
    let ticks = 0;
    const step = vm.runtime._step;
    vm.runtime._step = () => {
        step.call(vm.runtime);
        ticks += 1;
    };
    vm.greenFlag = () => seen.push(['flag', ticks]);
    vm.stopAll = () => seen.push(['stop', ticks]);
    const result = await played(vm, {length: 30, steps: [{at: 0, do: 'flag'}, {at: 12, do: 'stop'}]});
    assert.deepEqual(seen.slice(0, 2), [['flag', 0], ['stop', 12]]);
    assert.deepEqual(result, {misses: [], rest: false});
    assert.equal(ticks, 30);
});

test('a key is held for its ticks while other inputs come', async () => {
    const vm = fakeVm([kite]);
    vm.runtime.threads = [{updateMonitor: false}];
    await played(vm, {length: 40, steps: [{at: 5, do: 'key', key: 'space', ticks: 4}, {at: 6, do: 'mouse', x: 0, y: 0}]});
    const keys = vm.posted.filter((/** @type {any} */ data) => data.device === 'keyboard');
    assert.deepEqual(keys.map((/** @type {any} */ data) => data.isDown), [true, false]);
});

test('what shows nowhere can not be clicked, which is noted', async () => {
    const vm = fakeVm([{...kite, visible: false}]);
    vm.runtime.threads = [{updateMonitor: false}];
    const {misses} = await played(vm, {length: 20, steps: [{at: 3, do: 'click', sprite: 'Kite'}]});
    assert.deepEqual(misses, ['click at 3: Kite shows nowhere']);
});

test('a program at rest ends the run at a checkpoint', async () => {
    const vm = fakeVm([kite]);
    let ticks = 0;
    const step = vm.runtime._step;
    vm.runtime._step = () => {
        step.call(vm.runtime);
        ticks += 1;
    };
    const result = await played(vm, {length: 500, steps: [{at: 13, do: 'mouse', x: 1, y: 1}]});
    assert.deepEqual([result.rest, ticks], [true, 20]);
});

test('questions are answered in turn, each after half a second', async () => {
    const vm = fakeVm([kite]);
    vm.runtime.threads = [{updateMonitor: false}];
    /** @type {any[]} */
    const answers = [];
    vm.runtime.on('ANSWER', (/** @type {any} */ answer) => answers.push(answer));
    const playing = played(vm, {length: 90, answers: ['7', 'yes'], steps: []});
    vm.runtime.emit('QUESTION', 'how many?');
    await playing;
    assert.deepEqual(answers, ['7']);
});
