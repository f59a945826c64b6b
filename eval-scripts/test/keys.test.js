// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Keys, browserKey} = require('../lib/keys.js');
const {Cancelled, Ticks} = require('../lib/ticks.js');
const {fakeVm} = require('./fake-vm.js');

const keyboard = () => {
    const vm = fakeVm();
    const ticks = new Ticks(vm);
    return {vm, ticks, keys: new Keys(vm, ticks)};
};

/** @param {any} vm @returns {string[]} what was posted, with + for down and - for up */
const log = vm => vm.posted.map((/** @type {any} */ {key, isDown}) => `${isDown ? '+' : '-'}${key}`);

test('keys go by the names of Scratch and of browsers', () => {
    assert.deepEqual(['space', 'left arrow', 'enter', 'a', '7', 'ArrowUp', ' ', 'ö'].map(browserKey), [
        ' ',
        'ArrowLeft',
        'Enter',
        'a',
        '7',
        'ArrowUp',
        ' ',
        'ö'
    ]);
    for (const name of ['any', 'Shift', '', 'toString', 'Space']) assert.throws(() => browserKey(name), /no key/);
});

test('a key that is held repeats after half a second, with every tick', async () => {
    const {vm, keys} = keyboard();
    await vm.during(keys.hold('right arrow', 18));
    assert.deepEqual(log(vm), [...Array(4).fill('+ArrowRight'), '-ArrowRight']);
});

test('a hold without repetition is one press, and so is a short one', async () => {
    const {vm, keys} = keyboard();
    await vm.during(keys.hold('a', 30, {repeat: false}));
    await vm.during(keys.hold('b', 15));
    assert.deepEqual(log(vm), ['+a', '-a', '+b', '-b']);
});

test('several taps are several presses', async () => {
    const {vm, ticks, keys} = keyboard();
    await vm.during(keys.tap('space', 2));
    assert.deepEqual(log(vm), ['+ ', '- ', '+ ', '- ']);
    assert.equal(ticks.count, 10);
});

test('keys that are down can be let go together', () => {
    const {vm, keys} = keyboard();
    keys.press('a');
    keys.press('up arrow');
    keys.release('a');
    keys.releaseAll();
    keys.releaseAll();
    assert.deepEqual(log(vm), ['+a', '+ArrowUp', '-a', '-ArrowUp']);
});

test('after the end of the case no key is pressed', () => {
    const {vm, ticks, keys} = keyboard();
    ticks.cancel();
    assert.throws(() => keys.press('a'), Cancelled);
    assert.deepEqual(vm.posted, []);
});
