// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const listElements = require('../fn/list-elements.js');
const {page} = require('./dom.js');

/** @type {any} */
const NO_BLOCKS = {workspace: null};
const list = async () => (await listElements(NO_BLOCKS, null)).elements;

test('what another thing hides is not listed; what is half hidden is clicked where it shows', async t => {
    page(
        t,
        '<button data-box="10 10 110 50">Half</button><button data-box="200 10 300 50">Gone</button>' +
            '<div data-box="40 0 320 100" style="background: red" role="dialog" aria-label="Over"></div>'
    );
    const elements = await list();
    assert.deepEqual(elements.map(one => one.text), ['Half', 'Over']);
    const {point, position} = elements[0];
    assert.deepEqual(position, {x: 10, y: 10, width: 100, height: 40});
    assert.ok(point && point.x >= 10 && point.x < 40 && point.y >= 10 && point.y < 50);
    assert.equal(elements[1].point, null);
});

test('a control inside another is hit by itself', async t => {
    page(t, '<li class="sprite-selector_sprite-wrapper_x" data-box="0 0 100 100"><div role="button">Ball</div><button data-box="40 40 60 60">Delete</button></li>');
    const [tile, button] = await list();
    assert.equal(tile.type, 'sprites');
    assert.ok(tile.point && !(tile.point.x >= 40 && tile.point.x < 60 && tile.point.y >= 40 && tile.point.y < 60));
    assert.equal(button.point, null);
});

test('text that no control shows is listed, unless something painted lies over it', async t => {
    page(
        t,
        '<span data-box="0 0 50 20">Sprite</span><span data-box="100 0 150 20">Hidden</span><div data-box="90 0 160 30" style="background: white"></div>' +
            '<b data-box="200 0 250 20">Title</b><div data-box="190 0 260 30"></div><button data-box="300 0 350 20">OK</button>'
    );
    const elements = await list();
    assert.deepEqual(elements.map(one => `${one.type}: ${one.text}`), ['buttons: OK', 'text: Sprite', 'text: Title']);
});

test('a thing outside the viewport, or too thin to hit, is not listed', async t => {
    page(t, '<button data-box="1300 0 1400 20">Right</button><button data-box="0 717 100 740">Sliver</button>');
    assert.deepEqual(await list(), []);
});
