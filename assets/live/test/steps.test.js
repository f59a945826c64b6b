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
    const noted = {...call('click', {}), call: {api: 'click', args: {}, note: 'to see more'}};
    assert.equal(stepsOf([noted])[0].reasoning, 'to see more');
    const steps = stepsOf([call('add_block', {reasoning: 'because'}), look]);
    assert.deepEqual(steps.map(step => [step.action === null, step.pseudocode, step.reasoning]), [[false, null, 'because'], [true, '#1', null]]);
});

test('each step has the picture and the program after it, and ending is no step', () => {
    const reply = (/** @type {string} */ pseudocode) => ({success: true, data: {pseudocode}});
    const look = call('observe', {reply: reply('#1 a')});
    const steps = stepsOf([look, call('add_block', {picture: true, reply: reply('#1 a\n#2 b')}), call('key', {picture: true}), call('done')]);
    assert.deepEqual(steps.map(step => [step.picture, step.after]), [[null, 1], [1, 2], [2, null]]);
    assert.deepEqual(steps.map(step => step.pseudocode), ['#1 a', '#1 a\n#2 b', '#1 a\n#2 b']);
    assert.equal(steps[0].pseudocodeAfter, '#1 a\n#2 b');
    assert.deepEqual(steps.map(step => step.ends), [false, false, true]);
});
