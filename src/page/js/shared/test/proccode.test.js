// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {findProcedure, placeholders, slotLabels, words} = require('../lib/proccode');

test('placeholders stand alone between spaces', () => {
    assert.deepEqual(placeholders('jump %s times if %b'), ['s', 'b']);
    assert.deepEqual(placeholders('old %n'), ['s']);
    assert.deepEqual(placeholders('100%sure'), []);
    assert.deepEqual(placeholders('%s %s'), ['s', 's']);
});

test('a procedure is found by its wording or by its words', () => {
    const known = [{proccode: 'jump %s'}, {proccode: 'run %s'}, {proccode: 'run %b'}];
    assert.equal(findProcedure(known, 'jump %s'), known[0]);
    assert.equal(findProcedure(known, 'jump'), known[0]);
    assert.equal(findProcedure(known, 'run'), null, 'two have these words');
    assert.equal(findProcedure(known, 'jump %b'), null, 'another kind of argument is another block');
    assert.equal(words('a %s b %b'), 'a b');
});

test('slots of arguments with one name are told apart', () => {
    assert.deepEqual(slotLabels(['x', 'y', 'x']), ['x', 'y', 'x#2']);
});
