// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {Cancelled, Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

test('a wait passes after exactly its number of ticks', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    let passedAt = 0;
    await vm.during(
        ticks.pass(5).then(() => {
            passedAt = ticks.count;
        })
    );
    assert.equal(passedAt, 5);
});

test('a condition is looked at after each tick', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    // It holds during one tick only: sampling by time would miss it.
    await vm.during(ticks.until('the third tick came', () => ticks.count === 3, 10000));
});

test('a condition that never holds fails with its name', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    await assert.rejects(vm.during(ticks.until('pigs flew', () => false, 1)), error => {
        assert.ok(error instanceof Unmet);
        return /pigs flew/.test(error.message);
    });
});

test('cancelling ends waits under way and later ones', async () => {
    const ticks = new Ticks(fakeVm());
    const waiting = ticks.pass(5);
    ticks.cancel();
    await assert.rejects(waiting, Cancelled);
    await assert.rejects(ticks.pass(1), Cancelled);
});

test('a fault in a condition reaches the waiter', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    const broken = () => {
        if (ticks.count > 1) throw new TypeError('broken');
        return false;
    };
    await assert.rejects(vm.during(ticks.until('x', broken, 10000)), TypeError);
});

test('what must stay so is looked at after each tick', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    await vm.during(ticks.always('it is early', () => ticks.count < 20, 5));
    assert.equal(ticks.count, 5);
    const broken = vm.during(ticks.always('tick 7 never ends', () => ticks.count < 7, 5));
    await assert.rejects(broken, {message: 'it should stay so that tick 7 never ends, but after 2 ticks it was not'});
});

test('observers count from 0, see a tick before waits do, and end with the case', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    /** @type {number[]} */
    const seen = [];
    const stop = ticks.observe(tick => seen.push(tick));
    const seenAtEnd = ticks.pass(2).then(() => [...seen]);
    for (let i = 0; i < 2; i += 1) vm.runtime._step();
    assert.deepEqual(await seenAtEnd, [0, 1]);
    stop();
    ticks.observe(tick => seen.push(tick));
    ticks.cancel();
    vm.runtime._step();
    assert.deepEqual(seen, [0, 1]);
    assert.throws(() => ticks.observe(() => {}), Cancelled);
});

test('rest ends when no script runs, and not before it was watched for a while', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    const run = (/** @type {object} */ how) => ({updateMonitor: false, isKilled: false, ...how});
    vm.runtime.threads = [run({updateMonitor: true}), run({isKilled: true})];
    assert.equal(ticks.busy, false, 'monitors and stopped scripts do not run');
    assert.equal(await vm.during(ticks.rest()), true);
    assert.equal(ticks.count, 60);
    vm.runtime.threads.push(run({}));
    ticks.observe(tick => {
        if (tick === 149) vm.runtime.threads = [];
    });
    assert.equal(await vm.during(ticks.rest(10)), true);
    assert.equal(ticks.count, 150);
});

test('a program that never rests is left alone', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    vm.runtime.threads = [{updateMonitor: false, isKilled: false}];
    assert.equal(await vm.during(ticks.rest()), false);
    assert.equal(ticks.count, 150);
    assert.equal(await vm.during(ticks.rest(20, 30)), false);
    assert.equal(ticks.count, 180);
    assert.equal(await vm.during(ticks.rest(200)), false);
    assert.equal(ticks.count, 380);
});

test('an expectation in an observer fails what waits, in that tick, and leaves the tick of the program whole', async () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    let looks = 0;
    ticks.observe(tick => {
        looks += 1;
        if (tick === 2) throw new Unmet('the battery should be empty');
    });
    await assert.rejects(vm.during(ticks.pass(10)), {message: 'the battery should be empty'});
    assert.deepEqual([ticks.count, looks], [3, 3]);
    assert.doesNotThrow(() => vm.runtime._step());
    assert.equal(looks, 3, 'it looks no more');
    await assert.rejects(ticks.pass(1), {message: 'the battery should be empty'});
    assert.equal(ticks.waiters.size, 0);
});
