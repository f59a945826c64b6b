// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {among, letters, times, whole} = require('../lib/draw.js');

test('draws reach both ends of a range and never leave it', () => {
    const draws = times(500, () => whole(-2, 2));
    assert.deepEqual([...new Set(draws)].sort((a, b) => a - b), [-2, -1, 0, 1, 2]);
    assert.equal(whole(7, 7), 7);
});

test('items and letters are those of the list', () => {
    assert.deepEqual([...new Set(times(200, () => among(['owl', 'bat'])))].sort(), ['bat', 'owl']);
    assert.match(letters(12, 'xyz'), /^[xyz]{12}$/);
    assert.deepEqual(
        times(3, i => i * i),
        [0, 1, 4]
    );
});
