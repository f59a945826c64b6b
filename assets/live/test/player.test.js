// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {moveOf, moved} from '../lib/player.js';

test('keys move through the steps and never beyond them', () => {
    const press = (/** @type {number} */ index, /** @type {string} */ key) => moved(index, 5, moveOf(key) ?? 'play');
    assert.deepEqual([press(0, 'ArrowRight'), press(0, 'ArrowLeft'), press(4, 'ArrowRight'), press(2, 'Home'), press(2, 'End')], [1, 0, 4, 0, 4]);
    assert.equal(press(3, ' '), 3);
    assert.equal(moveOf('x'), null);
    assert.equal(moved(0, 0, 'last'), 0);
});
