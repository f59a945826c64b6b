// @ts-check
// The virtual clock against what Chromium did with the same timers.

const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {scriptGlobals} = require('../lib/clock-globals.js');
const {VirtualClock} = require('../lib/virtual-clock.js');
const {PARAMETERS} = require('../lib/virtual-time.js');
const {names, runProgram} = require('./timer-programs.js');

/** @type {{chromium: string, orders: Record<string, string[]>}} */
const record = JSON.parse(readFileSync(join(__dirname, 'timer-record.json'), 'utf8'));
const breathe = () => new Promise(resolve => setImmediate(() => resolve(undefined)));

/**
 * @param {string} name
 * @param {number} startMs when the program begins, in virtual time
 * @returns {Promise<import('./timer-programs.js').Entry[]>}
 */
const onVirtualClock = async (name, startMs) => {
    const clock = new VirtualClock(PARAMETERS);
    const timers = /** @type {any} */ (scriptGlobals(clock, Date, error => assert.fail(error)));
    /** @type {any} */
    let told = null;
    clock.schedule(startMs, () => {
        runProgram(name, timers).then(entries => (told = entries));
    });
    const isOver = () => told !== null;
    assert.ok(await clock.run({isOver, limitMs: 10_000, borrow: () => () => {}, breathe}), 'it does not end');
    return told;
};

test('the record has every program', () => {
    assert.deepEqual(Object.keys(record.orders), names);
    assert.match(record.chromium, /^Chrome\/\d+/);
});

for (const name of names) {
    test(`as in Chromium: ${name}`, async () => {
        // At a tick of the VM, too: times are sums of thirds there.
        for (const startMs of [0, 1000 / 30, 7 * (1000 / 30)]) {
            const told = await onVirtualClock(name, startMs);
            assert.deepEqual(told.map(({what}) => what), record.orders[name]);
            for (const {what, due, at} of told) {
                if (due !== null) assert.ok(Math.abs(at - due) <= 1, `${what} was due at ${due}, and came at ${at}`);
            }
        }
    });
}
