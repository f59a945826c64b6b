// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {stepsOf} from '../lib/steps.js';

/**
 * @param {string} api
 * @param {object} [more]
 * @returns {any}
 */
const call = (api, more = {}) => ({step: 1, at_s: 0, call: {api, args: {}}, reply: {success: true, data: {}}, picture: false, ...more});

test('each action comes with the look before it', () => {
    const look = call('observe', {picture: true, reply: {success: true, data: {elements: [{index: 0}]}}});
    const steps = stepsOf([look, call('click'), call('key'), look, call('done')]);
    assert.deepEqual(steps.map(step => [step.action?.call.api, step.picture, step.stale]), [['click', 0, false], ['key', 0, true], ['done', 3, false]]);
    assert.equal(steps[0].elements.length, 1);
});

test('a run without looks has steps without pictures', () => {
    assert.deepEqual(stepsOf([call('click')]).map(step => [step.picture, step.stale]), [[null, false]]);
});

test('a last look without an action is a step too, and pseudocode and reasons are kept', () => {
    const look = call('observe', {reply: {success: true, data: {pseudocode: '#1'}}});
    const steps = stepsOf([call('add_block', {reasoning: 'because'}), look]);
    assert.deepEqual(steps.map(step => [step.action === null, step.pseudocode, step.reasoning]), [[false, null, 'because'], [true, '#1', null]]);
});
