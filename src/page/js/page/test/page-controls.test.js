// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {controls} = require('../lib/page-controls.js');
const {enter} = require('../../shared/lib/editor-seams');
const {page} = require('./dom.js');

const listed = (/** @type {any} */ window) => controls(window.document).map(({type, text}) => `${type}: ${text}`);

test('each element is listed once, as the first kind that it is', t => {
    const window = page(t, '<button class="green-flag_green-flag-button_x1" aria-label="Start project"></button><button>Other</button><li role="tab">Code</li>');
    assert.deepEqual(listed(window), ['green_flag: Start project', 'tabs: Code', 'buttons: Other']);
});

test('a tile and a menu item stand for the buttons that they wrap', t => {
    const window = page(
        t,
        '<li class="sprite-selector_sprite-wrapper_a"><div role="button" aria-label="Ball" class="item_is-selected_b"><button aria-label="Delete"></button></div></li>' +
            '<ul><li class="menu_menu-item_c" aria-label="Language menu"><button>Language</button></li></ul>'
    );
    assert.deepEqual(listed(window), ['sprites: Ball (selected)', 'menu_items: Language menu', 'buttons: Delete']);
});

test('the reference editor has the same things in other elements', t => {
    enter('reference');
    t.after(() => enter('current'));
    const window = page(
        t,
        '<div class="menu-bar_menu-bar-item_a menu-bar_hoverable_b"><span>File</span></div><img class="green-flag_green-flag_c" title="Go">' +
            '<div class="sprite-selector_sprite-wrapper_d"><div class="sprite-selector-item_is-selected_e"><div class="sprite-selector-item_sprite-name_f">Ball</div>' +
            '<div role="button" aria-label="Delete"></div></div></div><svg><g class="blocklyZoom"><image xlink:href="/zoom-out.svg"></image></g></svg>' +
            '<div role="menuitemcheckbox">score</div><div role="slider" aria-valuenow="260"><div role="button"></div></div>'
    );
    assert.deepEqual(listed(window), [
        'inputs: value: 260',
        'sprites: Ball (selected)',
        'green_flag: Go',
        'menu_items: score',
        'buttons: File',
        'buttons: Delete',
        'buttons: zoom out'
    ]);
});

test('parts without a name of their own get one', t => {
    const window = page(
        t,
        '<div class="input-group_x"><span class="label_y">Outline</span><div class="color-button_color-button_z"></div></div>' +
            '<g class="blocklyZoom blocklyZoomIn"></g><svg class="blocklyScrollbarVertical blocklyFlyoutScrollbar"><rect class="blocklyScrollbarHandle"></rect></svg>' +
            '<div class="question_question-container_q"><div class="question_question-label_q">How old?</div><input><button class="question_question-submit-button_q"></button></div>'
    );
    assert.deepEqual(listed(window), [
        'inputs: value: label: answer to How old?',
        'buttons: Outline color',
        'buttons: submit answer',
        'buttons: zoom in',
        'buttons: vertical scrollbar of the palette'
    ]);
});
