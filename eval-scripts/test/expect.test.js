// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet, expectAt, expectEqual, expectText, expectTexts} = require('../lib/expect.js');
const {fakeTarget} = require('./fake-vm.js');

test('messages name what was wanted and what is', () => {
    assert.throws(() => expectEqual('4', 5, 'score'), {message: 'score should be 5, but is "4"'});
    assert.doesNotThrow(() => expectEqual('5', 5, 'score'));
});

test('a place may differ by rounding only', () => {
    const target = fakeTarget({x: 0.1 + 0.2, y: -60, sprite: {name: 'Kite'}});
    assert.doesNotThrow(() => expectAt(target, 0.3, -60));
    assert.throws(() => expectAt(target, 0.31, -60, 'after the flag'), Unmet);
});

test('a place counts where a player sees the sprite, unless it may hide', () => {
    const kite = fakeTarget({x: 30, y: -60, sprite: {name: 'Kite'}, visible: false});
    assert.throws(() => expectAt(kite, 30, -60, 'after the flag'), {message: 'the Kite is hidden, after the flag'});
    assert.doesNotThrow(() => expectAt(kite, 30, -60, 'after the flag', {mayHide: true}));
    assert.throws(() => expectAt(kite, 31, -60, 'after the flag', {mayHide: true}), /should be at \(31, -60\) after the flag/);
});

test('a text counts letter by letter, and a number as Scratch shows it', () => {
    expectText('Stopped', 'Stopped', 'it');
    expectText(5, '5', 'it');
    expectText('5', 5, 'it');
    assert.throws(() => expectText('STOPPED', 'Stopped', 'it'), {message: 'it should be exactly "Stopped", but is "STOPPED"'});
    assert.throws(() => expectText('05', 5, 'it'), Unmet);
    assert.throws(() => expectText('Stopped ', 'Stopped', 'it'), Unmet);
});

test('texts in turn count one by one: a comma does not make two of one', () => {
    expectTexts([], [], 'they');
    expectTexts(['a', 2], ['a', '2'], 'they');
    assert.throws(() => expectTexts(['a, b'], ['a', 'b'], 'they'), {message: 'they should be exactly "a", "b", but is "a, b"'});
    assert.throws(() => expectTexts([], ['a'], 'they'), {message: 'they should be exactly "a", but is nothing'});
});
