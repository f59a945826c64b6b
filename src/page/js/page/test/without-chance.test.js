// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {takeChanceOut} = require('../lib/without-chance');

/** An editor with one colour slot in its palette. */
const editor = () => {
    class RenderedConnection {
        /** @param {boolean} fails */
        bumpAwayFrom(fails) {
            if (fails) throw new Error('no such block');
            return 48 + Math.floor(10 * Math.random());
        }
    }
    /** @type {any} */
    const kind = {init() {
        this.colour = `#${Math.random()}`;
    }};
    const slot = () => ({...kind, type: 'colour_picker', setFieldValue(/** @type {string} */ value) {
        this.colour = value;
    }});
    const there = slot();
    there.init();
    const palette = {getAllBlocks: () => [there, {type: 'math_number'}]};
    const workspace = {getFlyout: () => ({getWorkspace: () => palette})};
    return {SB: {RenderedConnection, Blocks: {colour_picker: kind}}, workspace, slot, there};
};

test('blocks are pushed by the least distance, and chance is back afterwards', () => {
    const {SB, workspace} = editor();
    takeChanceOut({SB, workspace});
    const {random} = Math;
    const connection = new SB.RenderedConnection();
    assert.equal(connection.bumpAwayFrom(false), 48);
    assert.throws(() => connection.bumpAwayFrom(true), /no such block/);
    assert.equal(Math.random, random);
});

test('colour slots begin with one colour, those in the palette too', () => {
    const {SB, workspace, slot, there} = editor();
    takeChanceOut({SB, workspace});
    const later = slot();
    later.init();
    assert.equal(later.colour, there.colour);
    assert.match(later.colour, /^#[0-9a-f]{6}$/);
});
