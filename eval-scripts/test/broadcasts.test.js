// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Broadcasts} = require('../lib/broadcasts.js');
const {Unmet} = require('../lib/expect.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

const RECEIVER = 'event_whenbroadcastreceived';

const program = () => {
    const variables = {
        a: {name: 'High tide', type: 'broadcast_msg', value: 'High tide'},
        b: {name: 'moon', type: '', value: 0}
    };
    const vm = fakeVm([{isStage: true, sprite: {name: 'Stage'}, variables}]);
    return {vm, broadcasts: new Broadcasts(vm, new Ticks(vm))};
};

test('messages are kept as they were written, with their ticks, and reach the hats', () => {
    const {vm, broadcasts} = program();
    vm.runtime._step();
    vm.runtime.startHats(RECEIVER, {BROADCAST_OPTION: 'High tide'});
    vm.runtime.startHats('event_whenflagclicked');
    assert.deepEqual(broadcasts.sent, [{name: 'High tide', tick: 1}]);
    assert.equal(broadcasts.of('high TIDE').length, 1);
    assert.deepEqual(vm.runtime.hats, [
        [RECEIVER, {BROADCAST_OPTION: 'HIGH TIDE'}],
        ['event_whenflagclicked', undefined]
    ]);
});

test('a message that is sent to the program is none of its own', async () => {
    const {vm, broadcasts} = program();
    await vm.during(broadcasts.send('high tide'));
    assert.deepEqual(vm.runtime.hats, [[RECEIVER, {BROADCAST_OPTION: 'HIGH TIDE'}]]);
    assert.deepEqual(broadcasts.sent, []);
});

test('a message that the program does not have fails the case; a variable is none', async () => {
    const {broadcasts} = program();
    await assert.rejects(broadcasts.send('moon'), Unmet);
    await assert.rejects(broadcasts.send('low tide'), Unmet);
});

test('waiting for a message means one more than before', async () => {
    const {vm, broadcasts} = program();
    vm.runtime.startHats(RECEIVER, {BROADCAST_OPTION: 'High tide'});
    await assert.rejects(vm.during(broadcasts.next('High tide', 1)), Unmet);
    const wait = broadcasts.next('High tide', 10000);
    vm.runtime.startHats(RECEIVER, {BROADCAST_OPTION: 'High tide'});
    await vm.during(wait);
    await broadcasts.next('High tide', 10000, 1);
});
