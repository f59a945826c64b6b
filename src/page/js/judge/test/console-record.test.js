// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {recordConsole} = require('../lib/console-record.js');

/** @type {() => Record<string, (...args: any[]) => void>} */
const silent = () => Object.fromEntries(['debug', 'log', 'info', 'warn', 'error'].map(level => [level, () => {}]));

test('lines carry their level, objects are shown, styles are not', () => {
    const console = silent();
    const record = recordConsole(console);
    console.log('a', {b: 1});
    console.warn('%cred%c plain', 'color: red', '', 7);
    assert.deepEqual(record.lines, ['log: a {"b":1}', 'warn: red plain 7']);
});

test('what is printed quietly is not kept, and restoring ends it all', async () => {
    const console = silent();
    const record = recordConsole(console);
    await record.quietly(async () => console.log('x'));
    console.log('y');
    record.restore();
    console.log('z');
    assert.deepEqual(record.lines, ['log: y']);
});

test('a flood is cut', () => {
    const console = silent();
    const record = recordConsole(console);
    for (let i = 0; i < 1000; i += 1) console.log('x'.repeat(2000));
    assert.equal(record.lines.length, 201);
    assert.ok(record.lines[0].length <= 500);
});
