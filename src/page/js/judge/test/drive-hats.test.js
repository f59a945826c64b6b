// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {inputsOf} = require('../lib/drive-hats.js');

/** @param {Record<string, [string, Record<string, string>]>} blocks opcode and fields by id */
const program = blocks => {
    /** @type {any[]} */
    const done = [];
    const made = Object.entries(blocks).map(([id, [opcode, fields]]) => [id, {
        opcode,
        fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, {value, id: Math.random().toString()}]))
    }]);
    return {
        done,
        runtime: {
            targets: [{sprite: {name: 'Kite'}, blocks: {_blocks: Object.fromEntries(made)}}],
            startHats: (/** @type {any[]} */ ...args) => done.push(args.slice(0, 2))
        },
        postIOData: (/** @type {string} */ device, /** @type {any} */ data) => done.push([device, data.key ?? data.isDown])
    };
};

test('each hat gets its input once, however many scripts wait for it', () => {
    const vm = program({
        a: ['event_whenkeypressed', {KEY_OPTION: 'left arrow'}],
        b: ['event_whenkeypressed', {KEY_OPTION: 'left arrow'}],
        c: ['event_whenbroadcastreceived', {BROADCAST_OPTION: 'go'}],
        d: ['event_whenthisspriteclicked', {}],
        e: ['motion_movesteps', {}]
    });
    for (const input of inputsOf(vm)) input();
    assert.deepEqual(vm.done, [
        ['keyboard', 'ArrowLeft'],
        ['keyboard', 'ArrowLeft'],
        ['event_whenbroadcastreceived', {BROADCAST_OPTION: 'go'}],
        ['event_whenthisspriteclicked', null]
    ]);
});

test('a program without hats for inputs needs none', () => {
    assert.deepEqual(inputsOf(program({a: ['event_whenflagclicked', {}]})), []);
});
