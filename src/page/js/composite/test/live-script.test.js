// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {parted, withIds} = require('../lib/live-script.js');

test('scripts are parted by empty lines and know their lines', () => {
    const scripts = parted('\nshow\n  hide\n \n\nwait (1) seconds\r\nhide', true);
    assert.deepEqual(scripts.map(({text, lines, refresh}) => [text, lines, refresh]), [
        ['show\n  hide', [2, 3], true],
        ['wait (1) seconds\nhide', [6, 7], true]
    ]);
    assert.deepEqual(parted(' \n', true), []);
});

test('ids of the text become ids of the workspace, and words that look like them stay', () => {
    const state = {
        type: 'procedures_call', id: 't0.s0.1', fields: {M: {id: 't0.broadcast.go'}, TEXT: 't0.s0.1'},
        extraState: '<mutation argumentids="[&#34;t0.s0.arg0&#34;]"></mutation>',
        inputs: {'t0.s0.arg0': {block: {type: 'procedures_prototype', id: 't0.s0.2', inputs: {'t0.s0.arg0': {}}}}},
        next: {block: {type: 'looks_hide', id: 't0.s0.3'}}
    };
    const renamed = withIds(state, id => `B(${id})`, id => `A(${id})`, id => `M(${id})`);
    assert.deepEqual(renamed, {
        type: 'procedures_call', id: 'B(t0.s0.1)', fields: {M: {id: 'M(t0.broadcast.go)'}, TEXT: 't0.s0.1'},
        extraState: '<mutation argumentids="[&#34;A(t0.s0.arg0)&#34;]"></mutation>',
        inputs: {'A(t0.s0.arg0)': {block: {type: 'procedures_prototype', id: 'B(t0.s0.2)', inputs: {}}}},
        next: {block: {type: 'looks_hide', id: 'B(t0.s0.3)', inputs: {}}}
    });
});
