// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {borrow, scriptGlobals, vmGlobals} = require('../lib/clock-globals.js');
const {VirtualClock} = require('../lib/virtual-clock.js');

const PARAMETERS = {tick_ms: 1000 / 30, epsilon_ms: 0.05, epoch_ms: 1_700_000_000_000};
const breathe = () => new Promise(resolve => setImmediate(() => resolve(undefined)));

/** @param {(clock: VirtualClock, globals: any) => Promise<void>} script @param {number} [limitMs] */
const run = async (script, limitMs = 1e6) => {
    const clock = new VirtualClock(PARAMETERS);
    /** @type {any[]} */
    const errors = [];
    const globals = scriptGlobals(clock, Date, error => errors.push(error));
    let over = false;
    clock.schedule(0, () => {
        script(clock, globals).finally(() => (over = true));
    });
    const ended = await clock.run({isOver: () => over, limitMs, borrow: () => () => {}, breathe});
    return {clock, ended, errors};
};

test('events happen in the order of their time, then of their asking', async () => {
    /** @type {string[]} */
    const seen = [];
    await run((_clock, {setTimeout}) => new Promise(resolve => {
        setTimeout(() => seen.push('late'), 30);
        setTimeout(() => seen.push('a'), 10);
        setTimeout(() => seen.push('b'), 10);
        setTimeout(resolve, 40);
    }));
    assert.deepEqual(seen, ['a', 'b', 'late']);
});

test('an hour passes at once, and dates follow', async () => {
    const {clock, ended} = await run(async (_clock, {setTimeout, Date}) => {
        const before = Date.now();
        await new Promise(resolve => setTimeout(resolve, 3_600_000));
        assert.equal(Math.round((Date.now() - before) / 1000), 3600);
        assert.equal(new Date().getUTCFullYear(), 2023);
        assert.equal(new Date(0).getTime(), 0);
    }, 1e7);
    assert.ok(ended);
    assert.equal(clock.elapsed, 3_600_000);
});

test('a script that waits by reading the clock gets through, and its time never goes back', async () => {
    await run(async (_clock, {setTimeout, performance}) => {
        const start = performance.now();
        while (performance.now() - start < 1000);
        await new Promise(resolve => setTimeout(resolve, 1));
        assert.ok(performance.now() - start >= 1000);
    });
});

test('the VM reads its budget anew in each event', async () => {
    const clock = new VirtualClock(PARAMETERS);
    const {Date: VmDate} = vmGlobals(clock, Date, () => {});
    const rounds = () => {
        const start = clock.vmNow();
        let n = 0;
        while (clock.vmNow() - start < 25) n += 1;
        return n;
    };
    /** @type {number[]} */
    const counted = [];
    for (const delay of [0, 33, 66]) clock.schedule(delay, () => counted.push(rounds()));
    await clock.run({isOver: () => counted.length === 3, limitMs: 1000, borrow: () => () => {}, breathe});
    // Sums of a twentieth round differently from date to date, by one round at most.
    for (const n of counted) assert.ok(Math.abs(n - 499) <= 1, `${n} rounds`);
    assert.ok(VmDate.now() >= PARAMETERS.epoch_ms);
});

test('what never ends is given up at the limit, and so is what nothing will ever wake', async () => {
    const ticking = await run((_clock, {setInterval}) => new Promise(() => setInterval(() => {}, 100)), 5000);
    assert.equal(ticking.ended, false);
    const dead = await run(() => new Promise(() => {}));
    assert.equal(dead.ended, false);
});

test('intervals repeat until they are cleared, also from within', async () => {
    let n = 0;
    const {clock} = await run((_clock, {setInterval, clearInterval}) => new Promise(resolve => {
        const id = setInterval(() => {
            n += 1;
            if (n === 3) {
                clearInterval(id);
                resolve(undefined);
            }
        }, 20);
    }));
    assert.equal(n, 3);
    assert.equal(clock.elapsed, 60);
});

test('time stands still while real work goes on, and its end is an event', async () => {
    await run(async (clock, {setTimeout}) => {
        let fired = false;
        setTimeout(() => (fired = true), 5);
        assert.equal(await clock.hold(new Promise(resolve => setImmediate(() => resolve('loaded')))), 'loaded');
        assert.equal(fired, false);
        assert.equal(clock.elapsed, 0);
        await assert.rejects(clock.hold(Promise.reject(new Error('broken'))), /broken/);
    });
});

test('an exception in a timer is told and ends nothing', async () => {
    const {ended, errors} = await run((_clock, {setTimeout}) => new Promise(resolve => {
        setTimeout(() => {
            throw new Error('oh');
        }, 1);
        setTimeout(resolve, 2);
    }));
    assert.ok(ended);
    assert.equal(errors[0].message, 'oh');
});

test('borrowed values are given back', () => {
    const owner = {a: 1, b: 2};
    const back = borrow(owner, {a: 3});
    assert.deepEqual(owner, {a: 3, b: 2});
    back();
    assert.deepEqual(owner, {a: 1, b: 2});
});
