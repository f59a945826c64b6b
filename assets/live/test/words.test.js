// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {actionLine, age, bytes, counted, duration, eventLine, shown} from '../lib/words.js';

test('times read in two units at most', () => {
    assert.deepEqual([0, 59.6, 61, 3600, 7500, 90000].map(age), ['0 s', '1 min', '1 min', '1 h', '2 h 5 min', '1 d 1 h']);
    assert.deepEqual([12.4, 1400].map(duration), ['12 ms', '1.4 s']);
});

test('an action reads with what matters of its arguments', () => {
    assert.equal(actionLine('click', {x: 10.4, y: 20}), 'click (10, 20)');
    assert.equal(actionLine('click', {index: 3}), 'click element 3');
    assert.equal(actionLine('click', {x: 1, y: 2, button: 'right'}), 'right click (1, 2)');
    assert.equal(actionLine('click', {x: 1, y: 2, button: 'left'}), 'click (1, 2)');
    assert.equal(actionLine('drag_and_drop', {start_x: 1, start_y: 2, end_x: 3, end_y: 4}), 'drag and drop (1, 2) → (3, 4)');
    assert.equal(actionLine('type', {text: 'hi'}), 'type “hi”');
    assert.equal(actionLine('hotkey', {keys: ['ctrl', 'z']}), 'hotkey ctrl + z');
    assert.equal(actionLine('set_block_field', {blockIndex: 2, fieldName: 'STEPS', value: 7}), 'set block field #2 STEPS 7');
    assert.equal(actionLine('delete_block', {blockIndex: 2}), 'delete block blockIndex 2');
    const placement = {kind: 'stack_after'};
    assert.equal(actionLine('connect_blocks', {sourceBlockIndex: 2, targetBlockIndex: 1, placement}), 'connect blocks #2 to #1 stack after');
    assert.equal(actionLine('observe'), 'observe');
});

test('long values are cut and events of unknown kinds still read', () => {
    assert.equal(shown('x'.repeat(100)).length, 60);
    assert.equal(eventLine({seq: 1, at_ms: 0, kind: 'something_new'}), 'something new');
    assert.equal(eventLine({seq: 1, at_ms: 0, kind: 'reply', code: 'unknown_index', message: 'no'}), 'unknown_index: no');
    assert.equal(eventLine({seq: 1, at_ms: 0, kind: 'input', type: 'pointerdown', x: 4, y: 5}), 'pointerdown (4, 5)');
});

test('sizes are told in what people use', () => {
    assert.deepEqual([1, 2].map(n => counted(n, 'step')), ['1 step', '2 steps']);
    assert.equal(bytes(12), '1 kB');
    assert.equal(bytes(840_400), '840 kB');
    assert.equal(bytes(3_210_000), '3.2 MB');
});
