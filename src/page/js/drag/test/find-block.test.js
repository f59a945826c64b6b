// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {findBlock} = require('../lib/find-block');

/**
 * @param {string} id
 * @param {string} text what its one field shows
 */
const say = (id, text) => ({
    id,
    type: 'looks_say',
    inputList: [],
    getNextBlock: () => null,
    getChildren: () => [],
    isShadow: () => false,
    getField: (/** @type {string} */ name) => (name === 'TEXT' ? {getText: () => text, getValue: () => text} : null)
});

const fail = (/** @type {string} */ code) => {
    throw new Error(code);
};

test('a block is found by whatever is said of it', () => {
    const blocks = [say('a', 'hello'), say('b', 'bye'), say('c', 'hello')];
    const ctx = /** @type {any} */ ({fail, workspace: {getTopBlocks: () => blocks}});
    const id = (/** @type {any} */ name) => findBlock(ctx, name, false).id;
    assert.equal(id({id: 'b'}), 'b');
    assert.equal(id({opcode: 'looks_say', nth: 3}), 'c');
    assert.equal(id({fields: {TEXT: 'hello'}, nth: 2}), 'c');
    assert.throws(() => id({opcode: 'looks_say', fields: {TEXT: 'bye'}, nth: 2}), /unknown_block/);
});
