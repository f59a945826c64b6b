// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cutNote, dollars, harmless, joined, kindOf, turnOf, usageLine} from '../lib/turns.js';

/** @param {object} [more] @returns {any} */
const turn = (more = {}) => ({
    turn: 1, step: 1, seconds: 1.25, waited_s: 0, tries: 1, error: null, fault: null, call: null, micro_usd: null, model: 'm', messages: 2,
    tokens: {input_tokens: 12345, output_tokens: 50, cached_tokens: 600, cache_written_tokens: 0, reasoning_tokens: 20}, ...more
});

test('what a terminal or a reader could be fooled by is shown, not obeyed', () => {
    assert.equal(harmless('\u001b[2Ja\u0007\u007f\u009b1m'), '␛[2Ja␇␡\ufffd1m');
    assert.equal(harmless('a\tb\r\nc\rd'), 'a\tb\nc␍d');
    assert.equal(harmless('user\u202egnp.exe'), 'user\ufffdgnp.exe');
    assert.equal(harmless('<b>ä 🦊</b>'), '<b>ä 🦊</b>');
});

test('tokens, time and cost are told as far as they are known', () => {
    assert.equal(usageLine(turn()), '12,345 tokens in (600 cached) · 50 out (20 reasoning) · 1.3 s · cost unknown');
    assert.equal(usageLine(turn({tokens: null, error: 'busy', tries: 3, waited_s: 0.5})), '1.3 s, 500 ms of them waiting · 3 requests');
    assert.deepEqual([0, 1234, 2500000].map(dollars), ['$0.0000', '$0.0012', '$2.50']);
});

test('a cut text says how much is missing', () => {
    assert.deepEqual([0, 1, 9].map(left_out => cutNote({text: '', left_out})), ['', '1 more character not shown here.', '9 more characters not shown here.']);
});

test('a step has the last turn about it, and turns are joined without doubles', () => {
    const turns = [turn(), turn({turn: 2, step: 1}), turn({turn: 3, step: 3})];
    assert.deepEqual([1, 2, 3].map(step => turnOf(turns, step)), [1, -1, 2]);
    assert.deepEqual(joined(turns.slice(0, 2), turns).map(one => one.turn), [1, 2, 3]);
    assert.deepEqual(joined([], turns).length, 3);
    assert.deepEqual([turn({call: {api: 'a', args: {}}}), turn({error: 'e'}), turn()].map(kindOf), ['call', 'error', 'fault']);
});
