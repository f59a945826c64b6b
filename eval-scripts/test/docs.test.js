// @ts-check
// docs/JUDGING.md tells authors what there is; what it names must be there.
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {runInThisContext} = require('node:vm');
const {Player} = require('../lib/player.js');
const {fakeVm} = require('./fake-vm.js');

const text = readFileSync(join(__dirname, '../../docs/JUDGING.md'), 'utf8');
/** Parts of a player that have helpers of their own. */
const PARTS = ['ticks', 'keys', 'mouse', 'broadcasts', 'clones', 'data', 'motion', 'speech', 'sounds', 'pen'];

test('every helper that is named in an example exists', () => {
    const player = /** @type {any} */ (new Player(fakeVm()));
    const named = [...text.matchAll(/(?<!\/)player\.(\w+)(?:\.(\w+))?/g)];
    assert.ok(named.length > 40);
    for (const [all, first, second] of named) {
        assert.ok(first in player, all);
        if (PARTS.includes(first) && second) assert.ok(second in player[first], all);
    }
});

test('every helper is described', () => {
    const player = /** @type {any} */ (new Player(fakeVm()));
    /** What only the library itself calls. */
    const inner = ['constructor', 'leave', 'cancel', 'mustGoOn', 'wait', 'awaited', 'onQuestion'];
    for (const owner of [player, ...PARTS.map(part => player[part])]) {
        for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(owner))) {
            if (!inner.includes(name)) assert.match(text, new RegExp(`[\`.]${name}(\\(|\`|, )`), name);
        }
    }
});

test('the examples of whole scripts load', () => {
    const scripts = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, source]) => source);
    assert.equal(scripts.length, 3);
    for (const source of scripts) {
        const module = {exports: null};
        const load = runInThisContext(`(function (module, require) {${source}\n})`);
        load(module, (/** @type {string} */ path) => require(join(__dirname, '..', path)));
        assert.equal(typeof module.exports, 'function');
    }
});
