// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Data} = require('../lib/data.js');
const {Unmet} = require('../lib/expect.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

const program = () => {
    const speed = (/** @type {any} */ value) => ({name: 'speed', type: '', value});
    const vm = fakeVm([
        {
            isStage: true,
            sprite: {name: 'Backdrop'},
            variables: {a: {name: 'score', type: '', value: 3}, b: {name: 'words', type: 'list', value: ['one']}}
        },
        {sprite: {name: 'Beetle'}, isOriginal: false, variables: {c: speed(9)}},
        {sprite: {name: 'Beetle'}, variables: {c: speed(1)}},
        {sprite: {name: 'Snail'}, variables: {d: speed(2)}}
    ]);
    const ticks = new Ticks(vm);
    return {vm, ticks, data: new Data(vm, ticks)};
};

test('variables are found by name and owner, and those of clones are not', () => {
    const {data} = program();
    assert.deepEqual([data.get('score'), data.get('score', 'Stage'), data.get('speed')], [3, 3, 1]);
    assert.deepEqual([data.get('speed', 'Snail'), data.get('speed', 'Beetle')], [2, 1]);
    assert.throws(() => data.get('score', 'Snail'), {message: 'there is no variable named score of Snail'});
});

test('a list is no variable, and what is read is a copy', () => {
    const {data} = program();
    assert.throws(() => data.get('words'), Unmet);
    assert.throws(() => data.list('score'), Unmet);
    data.list('words').push('two');
    assert.deepEqual(data.list('words'), ['one']);
});

test('what is set is what the program has', () => {
    const {vm, data} = program();
    const items = ['x', 2];
    data.set('speed', 7, 'Snail');
    data.setList('words', items);
    items.push('later');
    assert.equal(vm.runtime.targets[3].variables.d.value, 7);
    assert.equal(vm.runtime.targets[2].variables.c.value, 1);
    assert.deepEqual(vm.runtime.targets[0].variables.b, {
        name: 'words',
        type: 'list',
        value: ['x', 2],
        _monitorUpToDate: false
    });
});

test('a history has the beginning and each change with its tick', () => {
    const {vm, data} = program();
    const score = vm.runtime.targets[0].variables.a;
    vm.runtime._step();
    const history = data.watch('score');
    for (const value of [3, 4, '4', '4']) {
        score.value = value;
        vm.runtime._step();
    }
    history.stop();
    score.value = 99;
    vm.runtime._step();
    assert.deepEqual(history.entries, [
        {tick: 0, value: 3},
        {tick: 2, value: 4},
        {tick: 3, value: '4'}
    ]);
    assert.deepEqual([history.values, history.changes, history.last], [[3, 4, '4'], 2, '4']);
});

test('a list that changes in place is seen to change', () => {
    const {vm, data} = program();
    const words = vm.runtime.targets[0].variables.b;
    const history = data.watch('words');
    words.value.push('two');
    vm.runtime._step();
    words.value[0] = 'uno';
    vm.runtime._step();
    vm.runtime._step();
    assert.deepEqual(history.values, [['one'], ['one', 'two'], ['uno', 'two']]);
});
