// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {seededRandom} = require('../lib/seeded-random.js');

const first = (/** @type {number} */ seed) => Array.from({length: 1000}, seededRandom(seed));

test('a seed fixes the stream, another seed gives another', () => {
    assert.deepEqual(first(7), first(7));
    assert.notDeepEqual(first(7).slice(0, 5), first(8).slice(0, 5));
});

test('numbers are spread over 0 to 1', () => {
    const numbers = first(1);
    assert.ok(numbers.every(x => x >= 0 && x < 1));
    const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
    assert.ok(Math.abs(mean - 0.5) < 0.05, String(mean));
});
