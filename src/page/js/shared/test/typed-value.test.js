// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {asText, checkTyped, untypable} = require('../lib/typed-value');

/** @type {[string, string, boolean][]} slot type, text, whether it can be typed */
const CASES = [
    ['math_number', '-12.5', true], ['math_number', '1e3', true], ['math_number', '', true], ['math_number', '.5', true],
    ['math_number', 'abc', false], ['math_number', '1 2', false], ['math_number', 'Infinity', false], ['math_number', '1e999', false],
    ['math_whole_number', '4', true], ['math_whole_number', '-4', false], ['math_whole_number', '1.5', false],
    ['math_integer', '-4', true], ['math_integer', 'last', false],
    ['math_positive_number', '0', true], ['math_positive_number', '-0.1', false],
    ['math_angle', '-90', true], ['note', '60', true], ['note', '131', false],
    ['colour_picker', '#FF8800', true], ['colour_picker', 'red', false], ['colour_picker', '#f80', false],
    ['matrix', '0101001010011100101010101', true], ['matrix', '01', false],
    ['text', 'anything at all', true]
];

for (const [opcode, text, ok] of CASES) {
    test(`${opcode} ${ok ? 'takes' : 'refuses'} ${JSON.stringify(text)}`, () => {
        assert.equal(checkTyped(opcode, text).ok, ok);
    });
}

test('colours are stored in lower case, numbers without spaces', () => {
    assert.deepEqual(checkTyped('colour_picker', ' #FF8800 '), {ok: true, value: '#ff8800'});
    assert.deepEqual(checkTyped('math_number', ' 7 '), {ok: true, value: '7'});
});

test('only texts, finite numbers and booleans have a text', () => {
    assert.deepEqual(['a', 2.5, true].map(asText), ['a', '2.5', 'true']);
    assert.deepEqual([null, undefined, {}, [], NaN].map(asText), [null, null, null, null, null]);
});

test('what nobody can type into a field is told apart', () => {
    assert.equal(untypable('Grüße, 你好 😀'), null);
    assert.equal(untypable('x'.repeat(2000)), null);
    assert.match(String(untypable('x'.repeat(2001))), /2001 characters/);
    for (const control of ['\n', '\t', '\u0000', '\u007f', '\u2028']) {
        assert.match(String(untypable(`a${control}b`)), /control characters/, JSON.stringify(control));
    }
});
