// @ts-check
// Which HTML elements of the editor are controls, and of what type. The editor's class names end in a
// hash of their place in its source, so they are matched by what stands before it.

const {controlText, dialogText, inputText} = require('./control-text.js');
const {squeeze} = require('./block-text.js');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {{type: string, text: string, node: any, frame: any}} Control `frame` is the element that gives the box */

/** @type {(type: string, selector: string, name?: string | ((element: any) => string)) => any} */
const kind = (type, selector, name) => ({type, selector, name});

/** Paint and sound editor parts that are operated but have no role of their own. */
const PARTS = [
    '[class*="color-button_color-button_"]',
    '[class*="color-picker_clickable"]',
    '[class*="slider_container_"]',
    '[class*="scrollable-canvas_"][class*="-hitbox"]',
    '[class*="audio-trimmer_trim-handle"]',
    '[class*="library-item_library-item_"]',
    '.blocklyTextRemoveIcon',
    '.blocklyCommentDeleteIcon',
    '.blocklyDeleteIcon'
].join(',');

const BUTTONS = `button, [role="button"], a[href], ${PARTS}`;
const MENU_ITEMS = 'li[class*="menu_menu-item_"], [role="menuitem"], [role="option"], [role="menuitemradio"], [role="menuitemcheckbox"]';

/** Names for parts that carry none. */
const PART_NAMES = [
    [/color-button_color-button_/, 'color'],
    [/color-picker_clickable/, 'color choice'],
    [/slider_container_/, 'slider'],
    [/horizontal-scrollbar/, 'horizontal scrollbar'],
    [/vertical-scrollbar/, 'vertical scrollbar'],
    [/question_question-submit/, 'submit answer'],
    [/blocklyTextRemoveIcon/, 'remove'],
    [/close-button/, 'close'],
    [/blocklyDeleteIcon/, 'delete comment'],
    [/blocklyFoldoutIcon/, 'fold comment']
];

/** @param {any} element */
const buttonText = element => {
    const classes = String(element.getAttribute('class') || '');
    const known = PART_NAMES.find(([pattern]) => /** @type {RegExp} */ (pattern).test(classes));
    const label = known && /color-button/.test(classes) ? squeeze(nearLabel(element)) : '';
    const text = controlText(element);
    if (!known) return text;
    if (label) return `${label} ${known[1]}`;
    return /[\p{L}\p{N}]/u.test(text) ? text : String(known[1]);
};

/** @param {any} element a color button of the paint editor, named by the label before it */
const nearLabel = element => {
    const group = element.closest && element.closest('[class*="input-group"]');
    const label = group && group.querySelector('[class*="label"]');
    return label ? label.textContent : '';
};

/**
 * The order is the order of the list. An element that several rows match belongs to the first.
 */
const kinds = () => [
    kind('stage', '[class*="stage_stage-wrapper_"]', 'stage'),
    kind('canvas', '[class*="paint-editor_canvas-container_"]', 'paint editor'),
    kind('inputs', 'input:not([type="file"]):not([type="hidden"]), textarea, select, [role="slider"]', valueText),
    kind('sprites', '[class*="sprite-selector_sprite-wrapper_"], [class*="stage-selector_stage-selector_"]', tileText),
    kind('flyout_buttons', '.blocklyFlyoutButton'),
    kind('category_menu', seams().selectors.category),
    kind('green_flag', seams().selectors.greenFlag),
    kind('stop_button', seams().selectors.stopButton),
    kind('tabs', '[role="tab"]'),
    kind('menu_items', MENU_ITEMS),
    kind('buttons', `${BUTTONS}, ${seams().selectors.buttons}`, buttonText),
    kind('buttons', seams().selectors.zoomButtons, zoomText),
    kind('buttons', '.blocklyScrollbarHandle', scrollbarText),
    kind('monitors', '[class*="monitor_monitor-container_"]'),
    kind('comments', seams().selectors.comments, commentText),
    kind('dialogs', '[role="dialog"]', dialogText)
];

/** Types that hold other elements and whose own text is not theirs alone. */
const CONTAINERS = new Set(['stage', 'canvas', 'dialogs', 'comments']);

/** @param {any} element the answer box of a question has no label of its own */
function valueText(element) {
    if (element.matches('[role="slider"]')) return `value: ${element.getAttribute('aria-valuenow')}`;
    const question = element.closest('[class*="question_question-container"]');
    const asked = question && question.querySelector('[class*="question_question-label"]');
    if (!question) return inputText(element);
    return squeeze(`${inputText(element)} label: answer to ${asked ? asked.textContent : 'the question'}`);
}

/** @param {any} element */
function tileText(element) {
    const tile = element.querySelector(seams().selectors.tileName) || element;
    const chosen = '[class*="is-selected"]';
    const selected = element.matches(chosen) || Boolean(element.querySelector(chosen));
    return controlText(tile).replace(/ \(selected\)$/, '') + (selected ? ' (selected)' : '');
}

/** @param {any} element */
function commentText(element) {
    const area = element.querySelector('textarea');
    return squeeze(`comment: ${area ? area.value : ''}`);
}

/** @param {any} element */
function zoomText(element) {
    const words = `${element.getAttribute('class')} ${element.getAttribute('xlink:href')}`;
    if (/zoom-?in/i.test(words)) return 'zoom in';
    return /zoom-?out/i.test(words) ? 'zoom out' : 'reset zoom';
}

/** @param {any} element */
function scrollbarText(element) {
    const owner = String(element.closest('svg').getAttribute('class'));
    const way = /Vertical/.test(owner) ? 'vertical' : 'horizontal';
    return `${way} scrollbar of the ${/Flyout/.test(owner) ? 'palette' : 'canvas'}`;
}

/**
 * @param {any} document the page
 * @returns {Control[]} every control in the document, visible or not, in list order
 */
const controls = document => {
    const found = [];
    const taken = new Set();
    for (const {type, selector, name} of kinds()) {
        for (const node of document.querySelectorAll(selector)) {
            if (taken.has(node) || isInnerPart(node, type)) continue;
            taken.add(node);
            const text = typeof name === 'function' ? name(node) : name || controlText(node);
            // The wrapper of the stage has a border; coordinates of the stage start inside it.
            found.push({type, text, node, frame: (type === 'stage' && node.querySelector('canvas')) || node});
        }
    }
    return found;
};

/**
 * A sprite's tile and a menu's item are each wrapped around a button that is the same thing again; a slider has its knob in it.
 * @param {any} node
 * @param {string} type
 */
const isInnerPart = (node, type) => {
    if (type !== 'buttons') return false;
    const whole = node.closest('li[class*="menu_menu-item_"], [role="slider"]');
    if (whole && whole !== node) return true;
    return Boolean(node.closest('[class*="sprite-selector_sprite-wrapper_"]')) && node.matches(seams().selectors.tileName);
};

module.exports = {controls, CONTAINERS};
