// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {emptyPalette, withoutBlocks} from '../empty-palette.js';

const palette = (/** @type {string} */ inside) => `<xml style="display: none">
    <category name="Motion" toolboxitemid="motion" colour="#4C97FF">${inside}</category>
    <sep gap="36"/>
    <category name="Variables" colour="#FF8C1A" custom="VARIABLE"></category>
</xml>`;

test('categories keep their place, name and colour', () => {
    const blocks = '\n<block type="motion_movesteps">\n<value name="STEPS"/></block>\n<label text="&gt;"></label>';
    assert.equal(withoutBlocks(palette(blocks)), palette('').replace(' custom="VARIABLE"', ' '));
});

test('the store has the empty palette before the editor mounts', () => {
    /** @type {any[]} */
    const actions = [];
    const store = {
        getState: () => ({scratchGui: {toolbox: {toolboxXML: palette('<block type="motion_turnleft"/>')}}}),
        dispatch: (/** @type {any} */ action) => actions.push(action)
    };
    emptyPalette(store);
    assert.deepEqual(actions.map(({type}) => type), ['scratch-gui/toolbox/UPDATE_TOOLBOX']);
    assert.ok(!actions[0].toolboxXML.includes('<block'));
});
