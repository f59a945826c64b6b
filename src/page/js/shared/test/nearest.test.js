// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {distance, listed, nearest} = require('../lib/nearest');

test('counts the letters that differ', () => {
    assert.equal(distance('kitten', 'sitting'), 3);
    assert.equal(distance('', 'abc'), 3);
    assert.equal(distance('same', 'same'), 0);
    assert.equal(distance('snial', 'snail'), 1, 'a swap is one slip');
});

test('suggests what is near and nothing that is far', () => {
    assert.equal(nearest('looks_cleargraphicseffects', ['looks_cleargraphiceffects', 'looks_say']), 'looks_cleargraphiceffects');
    assert.equal(nearest('score', ['Score', 'lives']), 'Score');
    assert.equal(nearest('x', ['banana']), null);
    assert.equal(nearest('motion_move', ['motion_goto', 'motion_movesteps', 'motion_movesteps_more']), 'motion_movesteps');
});

test('lists names, but not without end', () => {
    assert.equal(listed(['a', 'b']), '"a", "b"');
    assert.equal(listed(['a', 'b', 'c'], 2), '"a", "b" and 1 more');
    assert.equal(listed([]), 'none');
});
