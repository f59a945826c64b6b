// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {compare, same} = require('../lib/cast.js');

test('numbers and their texts are the same', () => {
    for (const [a, b] of [[10, '10'], ['10', '10.0'], [' 7 ', 7], ['1e2', 100], [Infinity, 'Infinity'], [0, '-0']]) {
        assert.ok(same(a, b), `${a} = ${b}`);
    }
});

test('near misses differ', () => {
    for (const [a, b] of [[10, 101], ['32.9', 32], ['', 0], ['  ', 0], ['ten', 10], ['Not Equal', 'Equal'], [null, 0]]) {
        assert.ok(!same(a, b), `${a} = ${b}`);
    }
});

test('texts compare without regard to case, numbers by size', () => {
    assert.ok(same('Hello', 'hELLO'));
    assert.ok(compare('9', '10') < 0);
    assert.ok(compare('apple', 'Pear') < 0);
});
