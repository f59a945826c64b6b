// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {alterations, compare, holderOf} = require('../lib/page-integrity');

/** @param {any} object @param {(object: any) => void} alter @returns {string[]} */
const after = (object, alter, open = false) => {
    const holder = holderOf(object, 'it', open);
    alter(object);
    /** @type {string[]} */
    const changed = [];
    compare(holder, changed);
    return changed;
};

test('functions that were replaced, removed or added are told, and data are not', () => {
    const object = () => ({
        map() {},
        get size() {
            return 1;
        },
        data: 3
    });
    assert.deepEqual(after(object(), () => {}), []);
    assert.deepEqual(after(object(), it => (it.data = 4)), []);
    assert.deepEqual(after(object(), it => (it.map = () => {})), ['it.map']);
    assert.deepEqual(after(object(), it => delete it.map), ['it.map']);
    assert.deepEqual(after(object(), it => Object.defineProperty(it, 'size', {get: () => 2})), ['it.size']);
    assert.deepEqual(after(object(), it => (it.filter = () => {})), ['it: something was added']);
    assert.deepEqual(after(object(), it => (it.filter = () => {}), true), []);
});

test('the classes of the VM are watched, and the answer does not hang on what was replaced', () => {
    class Vm {
        start() {}
    }
    class Runtime {
        step() {}
    }
    class Part {}
    const part = () => new Part();
    const runtime = Object.assign(new Runtime(), {
        sequencer: part(), renderer: part(), storage: part(), v2BitmapAdapter: part(), targets: [], ioDevices: {clock: part()}
    });
    const vm = Object.assign(new Vm(), {runtime});
    // Node makes many of its own globals when they are first used.
    const page = {Array, JSON, Object, Reflect};
    assert.deepEqual(alterations(page, vm), []);
    assert.deepEqual(alterations(page, vm), []);
    const {step} = Runtime.prototype;
    const {ownKeys} = Reflect;
    Runtime.prototype.step = () => {};
    Reflect.ownKeys = () => [];
    try {
        assert.deepEqual(alterations(page, vm), ['Reflect.ownKeys', 'runtime.prototype.step']);
    } finally {
        Reflect.ownKeys = ownKeys;
        Runtime.prototype.step = step;
    }
    assert.deepEqual(alterations(page, vm), []);
});
