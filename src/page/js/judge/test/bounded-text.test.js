// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {LONG, beginning, bounded} = require('../lib/bounded-text.js');

test('a text that is not long is kept as it is', () => {
    for (const text of ['', 'kelp', 'x'.repeat(LONG)]) assert.equal(bounded(text), text);
});

test('long texts are shortened, and those that differ anywhere still do', () => {
    const text = 'x'.repeat(5000);
    assert.match(bounded(text), /^x{500}… \(5000 characters, [0-9a-f]+\)$/);
    const others = [`${text.slice(1)}y`, `${text}x`, `y${text.slice(1)}`, `${text.slice(0, 2500)}y${text.slice(2501)}`];
    assert.equal(new Set([text, ...others].map(bounded)).size, 5);
    assert.equal(bounded('x'.repeat(5000)), bounded(text));
});

test('a letter of two units is not cut in half', () => {
    assert.equal(beginning('ab🥕', 3), 'ab');
    assert.equal(beginning('ab🥕', 4), 'ab🥕');
    assert.equal(beginning('ab🥕c', 4), 'ab🥕');
});
