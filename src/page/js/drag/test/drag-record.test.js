// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');

const {DragRecord, replace} = require('../lib/drag-record');

const idle = {block: null, opcode: null, palette: false, canvas: false, preview: []};
const dragging = {...idle, block: 'a', opcode: 'looks_say'};

/**
 * @param {string} type of the event
 * @param {number} x where
 */
const event = (type, x) => ({type, clientX: x, clientY: 5, isTrusted: true});

test('what an event led to is read when the next one comes', () => {
    const record = new DragRecord();
    record.note(event('pointermove', 1), idle);
    record.note(event('pointerdown', 1), idle);
    record.note(event('pointermove', 13), idle);
    record.note(event('pointermove', 40), dragging);
    record.note(event('pointerup', 40), dragging);
    assert.deepEqual(record.steps.map(({kind, x, after}) => [kind, x, after && after.block]), [
        ['press', 1, null],
        ['move', 13, 'a'],
        ['move', 40, 'a'],
        ['release', 40, null]
    ]);
    assert.equal(record.steps[3].after, null, 'nothing came after it');
});

test('other events are none of a drag', () => {
    const record = new DragRecord();
    record.note(event('pointercancel', 1), idle);
    assert.deepEqual(record.steps, []);
});

test('a new record ends the one before', () => {
    let stopped = 0;
    const first = new DragRecord();
    assert.equal(replace({record: first, stop: () => stopped++}), null);
    assert.equal(replace(null), first);
    assert.equal(replace(null), null);
    assert.equal(stopped, 1);
});
