// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {controlText, dialogText, inputText, visibleText} = require('../lib/control-text.js');
const {page} = require('./dom.js');

const only = (/** @type {any} */ window) => window.document.body.firstElementChild;

test('an input tells its live value, not its attribute', t => {
    const input = only(page(t, '<input value="old" placeholder="Name">'));
    input.value = 'new  name';
    assert.equal(inputText(input), 'value: new name placeholder: Name');
});

test('an input without a placeholder is named by its label', t => {
    const window = page(t, '<label>Size <input value="100"></label>');
    assert.equal(inputText(window.document.querySelector('input')), 'value: 100 label: Size');
});

test('a tick box tells whether it is ticked and what it is for', t => {
    const window = page(t, '<label><input type="radio" value="global">For all sprites</label>');
    const radio = window.document.querySelector('input');
    assert.equal(inputText(radio), 'unchecked For all sprites');
    radio.checked = true;
    assert.equal(inputText(radio), 'checked For all sprites');
});

test('a button is named by label, title, text or picture, and tells its state', t => {
    const texts = [
        ['<button aria-label="File menu"><span>File</span></button>', 'File menu'],
        ['<button aria-label="costume1 (96 x 101)"><i>1</i> costume1 96 x 101</button>', 'costume1 (96 x 101)'],
        ['<button aria-label="Tile">Stage</button>', 'Tile Stage'],
        ['<span title="Brush"><img alt="Brush"></span>', 'Brush'],
        ['<span disabled><img alt="Undo"></span>', 'Undo (disabled)'],
        ['<li role="tab" aria-selected="true">Code</li>', 'Code (selected)'],
        ['<button>Pick<style>.t1 {color: red}</style><ul><li>one</li></ul></button>', 'Pick']
    ];
    for (const [html, expected] of texts) assert.equal(controlText(only(page(t, html))), expected);
});

test('a dialog is named by its label or its first text', t => {
    assert.equal(dialogText(only(page(t, '<div aria-label="New Variable">x</div>'))), 'New Variable');
    assert.equal(dialogText(only(page(t, '<div><style>a</style><b>Getting Unstuck</b> more</div>'))), 'Getting Unstuck');
});

test('text of style sheets is not visible', t => {
    assert.equal(visibleText(only(page(t, '<p>a <style>.b{}</style> c</p>'))), 'a c');
});
