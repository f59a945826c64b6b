// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Coverage} = require('../lib/coverage.js');

test('statements and hats are noted once, clones with their sprite', () => {
    /** @type {any} */
    const runtime = {
        _primitives: {motion_movesteps: (/** @type {any} */ args) => args.STEPS},
        _pushThread: (/** @type {string} */ id) => `thread of ${id}`
    };
    const coverage = new Coverage({runtime}, () => 0);
    const target = {sprite: {name: 'Moth'}};
    const util = (/** @type {string} */ id) => ({thread: {target, peekStack: () => id}});
    assert.equal(runtime._pushThread('hat', target), 'thread of hat');
    assert.equal(runtime._primitives.motion_movesteps({STEPS: 10}, util('b')), 10, 'the block does what it did');
    runtime._primitives.motion_movesteps({STEPS: 10}, util('a'));
    runtime._primitives.motion_movesteps({STEPS: 10}, util('b'));
    assert.deepEqual(coverage.covered(), {Moth: ['a', 'b', 'hat']});
});

test('work is counted: a block is one, and comparing pixels is many', () => {
    /** @type {any} */
    const runtime = {_primitives: {data_setvariableto: () => {}}, _pushThread: () => null};
    let compared = 7;
    const coverage = new Coverage({runtime}, () => compared);
    const util = {thread: {target: {sprite: {name: 'Moth'}}, peekStack: () => 'a'}};
    runtime._primitives.data_setvariableto({}, util);
    runtime._primitives.data_setvariableto({}, util);
    assert.equal(coverage.work, 2, 'what was compared before is not its work');
    compared += 2;
    assert.equal(coverage.work, 20002);
});

test('monitors are no part of the program', () => {
    /** @type {any} */
    const runtime = {_primitives: {data_variable: () => 3}, _pushThread: () => null};
    const coverage = new Coverage({runtime}, () => 0);
    const target = {sprite: {name: 'Moth'}};
    runtime._pushThread('score', target, {updateMonitor: true});
    runtime._primitives.data_variable({}, {thread: {target, updateMonitor: true, peekStack: () => 'score'}});
    assert.deepEqual(coverage.covered(), {});
});
