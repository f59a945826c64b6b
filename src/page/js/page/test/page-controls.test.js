// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {controls} = require('../lib/page-controls.js');
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
