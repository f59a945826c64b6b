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

test('a line is the same in each page, and addresses are taken out before it is cut', () => {
    const at = (/** @type {string} */ origin, /** @type {string} */ id) => {
        const console = silent();
        const record = recordConsole(console);
        console.error(`no costume at ${origin}/gui.js:1:2 (blob:${origin}/${id}) ${'x'.repeat(600)}`);
        return record.lines[0];
    };
    const line = at('http://127.0.0.1:815', '0a1b2c3d-0000-4000-8000-0123456789ab');
    assert.equal(at('http://127.0.0.1:47110', 'ffffffff-1111-4111-9111-ba9876543210'), line);
    assert.equal(line.length, 500);
    assert.ok(line.startsWith('error: no costume at /gui.js:1:2 (/id) x'), line);
});

test('a letter of two units is not cut in half, and long texts are cut before they are joined', () => {
    const console = silent();
    const record = recordConsole(console);
    console.log(`${'x'.repeat(494)}${'🥕'.repeat(9)}`);
    assert.equal(record.lines[0], `log: ${'x'.repeat(494)}`);
    console.log(...Array.from({length: 4}, () => 'y'.repeat(1e6)));
    assert.equal(record.lines[1].length, 500);
});

test('new errors of a project are told, those that are known, other lines and those of the script left out', async () => {
    const console = silent();
    const record = recordConsole(console);
    console.error('x is null\n    at http://127.0.0.1:815/gui.js:1:2');
    console.log('2024-01-01 12:00:01\tERROR\tvm\tno such block');
    console.warn('odd');
    record.forScript.error('of the script');
    await record.loading(async () => console.error('while it loads'));
    await record.quietly(async () => console.error('quietly'));
    assert.deepEqual(record.newErrors([]), ['x is null', 'ERROR\tvm\tno such block']);
    assert.deepEqual(record.newErrors(['x is null\n    at http://127.0.0.1:4711/gui.js:3:4']), ['ERROR\tvm\tno such block']);
    assert.ok(record.lines.includes('error: of the script'));
});

test('a script that puts a method of its own into the console is told that it would hear nothing', () => {
    const {forScript} = recordConsole(silent());
    assert.throws(() => (forScript.error = () => {}), /config\.newErrors/);
    assert.throws(() => (forScript.log = () => {}), /config\.newErrors/);
});

test('an error is heard however much was printed before it, and kept once', async () => {
    const console = silent();
    const record = recordConsole(console);
    for (let i = 0; i < 1000; i += 1) console.log('x');
    for (let i = 0; i < 1000; i += 1) console.error('late');
    for (let i = 0; i < 1000; i += 1) record.forScript.error(`of the script ${i}`);
    console.log('2024-01-01 12:00:01\tERROR\tvm\tno such block');
    assert.deepEqual(record.newErrors([]), ['late', 'ERROR\tvm\tno such block']);
    assert.deepEqual(record.lines.slice(200), ['… more was printed', 'error: late', 'log: 2024-01-01 12:00:01\tERROR\tvm\tno such block']);
    await record.loading(async () => {});
    console.error('in another program');
    assert.deepEqual(record.newErrors(['late']), ['ERROR\tvm\tno such block', 'in another program']);
});

test('a flood of different errors is cut, and each program has its own', async () => {
    const console = silent();
    const record = recordConsole(console);
    for (let i = 0; i < 5000; i += 1) console.error(`no ${i}`);
    assert.equal(record.newErrors([]).length, 1000);
    assert.ok(record.lines.length <= 1001);
    await record.loading(async () => {});
    console.error('in another program');
    assert.ok(record.newErrors([]).includes('in another program'));
});
