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

test('what was replaced, removed or added is told; of open objects, functions alone', () => {
    const object = () => ({
        map() {},
        get size() {
            return 1;
        },
        data: 3,
        missing: NaN
    });
    assert.deepEqual(after(object(), () => {}), []);
    assert.deepEqual(after(object(), it => (it.data = 4)), ['it.data']);
    assert.deepEqual(after(object(), it => (it.data = 4), true), []);
    assert.deepEqual(after(object(), it => (it.map = () => {})), ['it.map']);
    assert.deepEqual(after(object(), it => (it.map = () => {}), true), ['it.map']);
    assert.deepEqual(after(object(), it => delete it.map), ['it.map']);
    assert.deepEqual(after(object(), it => delete it.data), ['it.data']);
    assert.deepEqual(after(object(), it => Object.defineProperty(it, 'size', {get: () => 2})), ['it.size']);
    for (const added of [() => {}, 1, undefined]) {
        assert.deepEqual(after(object(), it => (it.isMonitored = added)), ['it: something was added']);
        assert.deepEqual(after(object(), it => (it.isMonitored = added), true), []);
    }
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
    const page = {Array, Function, JSON, Object, Reflect};
    assert.deepEqual(alterations(page, vm), []);
    assert.deepEqual(alterations(page, vm), []);
    // What a project writes to by ids such as `__proto__`, `constructor` and `toString`.
    const {prototype} = Object;
    for (const object of [prototype, prototype.toString, Object]) assert.equal(Reflect.set(object, 'isMonitored', true), false);
    Object.defineProperty(JSON, 'targetId', {value: 'evil', configurable: true});
    assert.deepEqual(alterations(page, vm), ['JSON: something was added']);
    delete (/** @type {any} */ (JSON).targetId);
    assert.deepEqual(/** @type {any} */ ({toString: 1}).toString, 1, 'objects may have their own');
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
