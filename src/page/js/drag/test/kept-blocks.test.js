// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {keepBlocks, restoreBlocks} = require('../lib/kept-blocks');

/** @param {string} id */
const target = id => ({
    id,
    isOriginal: true,
    blocks: {_blocks: {hat: {next: 'move'}, move: {next: null}}, _scripts: ['hat'], resetCache() {}}
});

test('blocks come back as they were, any number of times', () => {
    const cat = target('cat');
    const vm = {editingTarget: cat, runtime: {targets: [cat, target('stage')]}};
    keepBlocks(vm, 'scene');
    for (let turn = 0; turn < 2; turn++) {
        cat.blocks._blocks = /** @type {any} */ ({hat: {next: null}});
        cat.blocks._scripts.push('move');
        assert.equal(restoreBlocks(vm, 'scene'), true);
        assert.deepEqual(cat.blocks._blocks, {hat: {next: 'move'}, move: {next: null}});
        assert.deepEqual(cat.blocks._scripts, ['hat']);
    }
});

test('blocks of another project are not put back', () => {
    const cat = target('cat');
    const vm = {editingTarget: cat, runtime: {targets: [cat]}};
    keepBlocks(vm, 'scene');
    const other = target('other');
    assert.equal(restoreBlocks({editingTarget: other, runtime: {targets: [other]}}, 'scene'), false);
    assert.equal(restoreBlocks(vm, 'project'), false);
    vm.runtime.targets.push(target('new'));
    assert.equal(restoreBlocks(vm, 'scene'), false);
});
