// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {group, trail} from '../lib/overlay.js';

test('an action with a place is drawn there, a drag from its start', () => {
    assert.deepEqual(trail({api: 'click', args: {x: 1, y: 2}}), {at: {x: 1, y: 2}, from: null});
    const drag = {api: 'drag_and_drop', args: {start_x: 1, start_y: 2, end_x: 3, end_y: 4}};
    assert.deepEqual(trail(drag), {at: {x: 3, y: 4}, from: {x: 1, y: 2}});
    assert.equal(trail({api: 'key', args: {key: 'a'}}), null);
    assert.equal(trail(undefined), null);
});

test('kinds of elements without a look of their own are controls', () => {
    assert.deepEqual(['canvas', 'blocks', 'tabs'].map(group), ['area', 'block', 'control']);
});
