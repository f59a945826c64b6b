// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {choicesKey, choose, sortOptions} = require('../lib/choices');

test('commands of a menu are no choices', () => {
    const sorted = sortOptions([['go', 'id1'], ['New message', 'NEW_BROADCAST_MESSAGE_ID'], ['record...', () => {}],
        [{alt: 'a picture'}, 'pic']]);
    assert.deepEqual(sorted.choices, [{label: 'go', value: 'id1'}, {label: 'a picture', value: 'pic'}]);
    assert.deepEqual(sorted.commands, ['New message', 'record...']);
});

test('a choice is found by label, by value, and without regard to case when that is clear', () => {
    const choices = [{label: 'ghost', value: 'GHOST'}, {label: 'colour', value: 'COLOR'}];
    assert.equal(choose(choices, 'ghost')?.value, 'GHOST');
    assert.equal(choose(choices, 'COLOR')?.value, 'COLOR');
    assert.equal(choose(choices, ' Ghost ')?.value, 'GHOST');
    assert.equal(choose(choices, 'whirl'), null);
    assert.equal(choose([{label: 'a', value: '1'}, {label: 'A', value: '2'}], 'a')?.value, '1');
    assert.equal(choose([{label: 'aB', value: '1'}, {label: 'Ab', value: '2'}], 'ab'), null);
});

test('the key of a field\'s choices is the paper\'s', () => {
    assert.equal(choicesKey('STYLE'), 'styleOptions');
    assert.equal(choicesKey('KEY_OPTION'), 'keyoptionOptions');
});
