// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {showPosition} = require('../lib/palette-position.js');

/** A sprite, and a palette that was filled a moment ago. */
const editor = () => {
    const fill = () => new Map(['movex', 'movey', 'setx'].map(id => {
        let value = '0';
        const field = {getValue: () => value, setValue: (/** @type {string} */ v) => (value = v)};
        return [id, {inputList: [{fieldRow: [field]}]}];
    }));
    const palette = {blocks: fill()};
    const target = {x: 70.4, y: 20, isStage: false};
    const inner = {getBlockById: (/** @type {string} */ id) => palette.blocks.get(id) || null};
    const ctx = /** @type {any} */ ({vm: {editingTarget: target}, workspace: {getFlyout: () => ({getWorkspace: () => inner})}});
    const values = () => [...palette.blocks.values()].map(block => block.inputList[0].fieldRow[0].getValue());
    return {ctx, target, values, palette, fill};
};

test('a palette that was filled anew shows where the sprite is', () => {
    const {ctx, values, palette, fill} = editor();
    assert.equal(showPosition(ctx), true);
    assert.deepEqual(values(), ['70', '20', '70']);
    assert.equal(showPosition(ctx), false);
    palette.blocks = fill();
    assert.equal(showPosition(ctx), true);
    assert.deepEqual(values(), ['70', '20', '70']);
});

test('what was typed into the palette stays until the sprite moves', () => {
    const {ctx, target, values, palette} = editor();
    showPosition(ctx);
    palette.blocks.get('movex')?.inputList[0].fieldRow[0].setValue('5');
    assert.equal(showPosition(ctx), false);
    assert.deepEqual(values(), ['5', '20', '70']);
    target.y = -90;
    assert.equal(showPosition(ctx), true);
    assert.deepEqual(values(), ['5', '-90', '70']);
});

test('the stage has no position', () => {
    const {ctx, target, values} = editor();
    target.isStage = true;
    assert.equal(showPosition(ctx), false);
    assert.deepEqual(values(), ['0', '0', '0']);
});
