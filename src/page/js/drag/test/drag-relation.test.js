// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {linksOf, makes, wantedLinks} = require('../lib/drag-relation');

/**
 * A block with as much of the editor's interface as links need.
 * @param {string} id
 * @param {{next?: any, inputs?: string[], shadow?: boolean}} [more]
 */
const block = (id, {next = null, inputs = [], shadow = false} = {}) => ({
    id,
    getNextBlock: () => next,
    getInput: (/** @type {string} */ name) => (inputs.includes(name) ? {name} : null),
    isShadow: () => shadow,
    previousConnection: {}
});

/**
 * @param {any} owner
 * @param {{superior: boolean, input?: string, holds?: any}} what
 */
const connection = (owner, {superior, input, holds = null}) => ({
    isSuperior: () => superior,
    getSourceBlock: () => owner,
    getParentInput: () => (input ? {name: input} : null),
    targetBlock: () => holds
});

const lower = block('lower');
const target = block('target', {next: lower, inputs: ['SUBSTACK']});
const source = block('source', {inputs: ['SUBSTACK']});
const tail = block('tail');

test('a relation is a set of links', () => {
    const links = (/** @type {any} */ relation) => wantedLinks(relation, source, tail);
    assert.deepEqual(links({kind: 'below', target}), [{parent: 'target', input: null, child: 'source'}]);
    assert.deepEqual(links({kind: 'above', target}), [{parent: 'tail', input: null, child: 'target'}]);
    assert.deepEqual(links({kind: 'between', target}), [
        {parent: 'target', input: null, child: 'source'},
        {parent: 'tail', input: null, child: 'lower'}
    ]);
    assert.deepEqual(links({kind: 'into', target, input: 'SUBSTACK'}), [{parent: 'target', input: 'SUBSTACK', child: 'source'}]);
    assert.deepEqual(links({kind: 'around', target, input: 'SUBSTACK'}), [{parent: 'source', input: 'SUBSTACK', child: 'target'}]);
});

test('a relation that the blocks cannot have is none', () => {
    assert.equal(wantedLinks({kind: 'between', target: lower}, source, tail), null);
    assert.equal(wantedLinks({kind: 'into', target, input: 'VALUE'}, source, tail), null);
});

test('a block that is pushed out of its place goes where the editor puts it', () => {
    const local = connection(source, {superior: false});
    const neighbour = connection(target, {superior: true, holds: lower});
    const mouth = connection(source, {superior: true, input: 'SUBSTACK'});
    const made = linksOf({getConnectionForOrphanedConnection: () => mouth}, local, neighbour);
    assert.deepEqual(made, [
        {parent: 'target', input: null, child: 'source'},
        {parent: 'source', input: 'SUBSTACK', child: 'lower'}
    ]);
    assert.ok(makes(made, [{parent: 'source', input: 'SUBSTACK', child: 'lower'}]));
    assert.ok(!makes(made, [{parent: 'source', input: null, child: 'lower'}]));
    const nowhere = linksOf({getConnectionForOrphanedConnection: () => null}, local, neighbour);
    assert.deepEqual(nowhere, [{parent: 'target', input: null, child: 'source'}]);
});

test('a default block gives way without going anywhere', () => {
    const slot = connection(target, {superior: true, input: 'VALUE', holds: block('shadow', {shadow: true})});
    assert.equal(linksOf({}, connection(source, {superior: false}), slot).length, 1);
});

test('the dragged stack can hold the target', () => {
    const local = connection(tail, {superior: true});
    assert.deepEqual(linksOf({}, local, connection(target, {superior: false})), [{parent: 'tail', input: null, child: 'target'}]);
});
