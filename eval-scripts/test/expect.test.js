// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet, expectAt, expectEqual} = require('../lib/expect.js');

test('messages name what was wanted and what is', () => {
    assert.throws(() => expectEqual('4', 5, 'score'), {message: 'score should be 5, but is "4"'});
    assert.doesNotThrow(() => expectEqual('5', 5, 'score'));
});

test('a place may differ by rounding only', () => {
    const target = /** @type {any} */ ({x: 0.1 + 0.2, y: -60, sprite: {name: 'Kite'}});
    assert.doesNotThrow(() => expectAt(target, 0.3, -60));
    assert.throws(() => expectAt(target, 0.31, -60, 'after the flag'), Unmet);
});
