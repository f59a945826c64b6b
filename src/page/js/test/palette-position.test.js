// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {tellPosition} = require('../lib/palette-position.js');

/** A sprite and a palette that hears of its position only when the VM tells. */
const editor = () => {
    const fill = () => new Map(['movex', 'movey', 'setx'].map(id => {
        let value = 0;
        return [id, {inputList: [{fieldRow: [{getValue: () => value, setValue: (/** @type {number} */ v) => (value = v)}]}]}];
    }));
    const target = {x: 70.4, y: 20, isStage: false};
    const palette = {blocks: fill()};
    let tellings = 0;
    const vm = {
        editingTarget: target,
        emitTargetsUpdate: () => {
            tellings++;
            for (const [id, block] of palette.blocks) {
                block.inputList[0].fieldRow[0].setValue(Math.round(id.endsWith('x') ? target.x : target.y));
            }
        }
    };
    const inner = {getBlockById: (/** @type {string} */ id) => palette.blocks.get(id) || null};
    const ctx = /** @type {any} */ ({vm, workspace: {getFlyout: () => ({getWorkspace: () => inner})}});
    const value = (/** @type {string} */ id) => palette.blocks.get(id)?.inputList[0].fieldRow[0].getValue();
    return {ctx, target, value, palette, fill, tellings: () => tellings};
};

test('a palette that was filled anew is told where the sprite is, once', () => {
    const {ctx, value, palette, fill, tellings} = editor();
    assert.equal(tellPosition(ctx), true);
    assert.deepEqual([value('movex'), value('movey'), value('setx')], [70, 20, 70]);
    assert.equal(tellPosition(ctx), false);
    palette.blocks = fill();
    assert.equal(tellPosition(ctx), true);
    assert.equal(tellings(), 2);
});

test('what was typed into the palette stays, and so does the position of a sprite that has moved on', () => {
    const {ctx, target, value, palette, tellings} = editor();
    tellPosition(ctx);
    tellPosition(ctx);
    palette.blocks.get('movex')?.inputList[0].fieldRow[0].setValue(5);
    target.y = -90;
    assert.equal(tellPosition(ctx), false);
    assert.deepEqual([value('movex'), value('movey')], [5, 20]);
    assert.equal(tellings(), 1);
});

test('the stage has no position', () => {
    const {ctx, target, tellings} = editor();
    target.isStage = true;
    assert.equal(tellPosition(ctx), false);
    assert.equal(tellings(), 0);
});
