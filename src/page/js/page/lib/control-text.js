// @ts-check
// How an HTML control is named in an element list (as the published lists do, with live values in place of attributes).

const {squeeze} = require('./block-text.js');

/**
 * @param {any} input an input, textarea or select element
 * @returns {string} what is known of it: label, live value, placeholder, whether it is ticked
 */
const inputText = input => {
    const parts = [];
    const isTick = input.type === 'checkbox' || input.type === 'radio';
    if (isTick) parts.push(input.checked ? 'checked' : 'unchecked');
    else parts.push(`value: ${squeeze(input.value)}`);
    if (input.placeholder) parts.push(`placeholder: ${squeeze(input.placeholder)}`);
    const label = isTick || !input.placeholder ? labelOf(input) : '';
    if (label) parts.push(isTick ? label : `label: ${label}`);
    return squeeze(parts.join(' '));
};

/**
 * @param {any} input
 * @returns {string} its accessible label, or the text of the label element around it
 */
const labelOf = input => {
    const spoken = input.getAttribute('aria-label');
    if (spoken) return squeeze(spoken);
    const labels = [...(input.labels || [])];
    return squeeze(labels.map(label => visibleText(label)).join(' '));
};

/** Elements whose text is not shown, and lists: the items of a menu inside a button name themselves. */
const SILENT = /^(STYLE|SCRIPT|TITLE|DEFS|UL|OL|NAV|SELECT|TEXTAREA)$/i;

/**
 * @param {any} node a DOM node
 * @returns {string} its text without that of style sheets, which the editor puts inside its controls
 */
const visibleText = node => {
    const parts = [];
    for (const child of node.childNodes) {
        if (child.nodeType === 3) parts.push(child.nodeValue);
        else if (child.nodeType === 1 && !SILENT.test(child.nodeName)) parts.push(visibleText(child));
    }
    return squeeze(parts.join(' '));
};

/**
 * @param {any} element a button or the like
 * @returns {string} its accessible name, title, text or picture's name, and its state if that matters
 */
const controlText = element => {
    const shown = visibleText(element);
    const named = squeeze(element.getAttribute('aria-label') || element.getAttribute('title') || '');
    // A name that lacks words of the text would hide what a reader sees.
    const spoken = named.toLowerCase();
    const both = named && shown.toLowerCase().split(' ').some(word => !spoken.includes(word));
    const text = both ? `${named} ${shown}` : named || shown || pictureName(element);
    return text + stateOf(element);
};

/** @param {any} element */
const pictureName = element => {
    const image = element.querySelector && element.querySelector('img[alt]:not([alt=""]), img[title]');
    return image ? squeeze(image.getAttribute('alt') || image.getAttribute('title')) : '';
};

/** @param {any} element */
const stateOf = element => {
    const is = (/** @type {string} */ name) => element.getAttribute(name) === 'true';
    const classes = String(element.getAttribute('class') || '');
    if (is('aria-disabled') || element.hasAttribute('disabled') || /MenuItemDisabled|menu-bar_disabled_/.test(classes)) return ' (disabled)';
    if (is('aria-selected') || is('aria-pressed') || /(^|[_ -])is-selected/.test(classes)) return ' (selected)';
    return '';
};

/**
 * @param {any} dialog
 * @returns {string} its accessible name, or else the first text in it
 */
const dialogText = dialog => {
    const named = squeeze(dialog.getAttribute('aria-label'));
    return named || firstText(dialog);
};

/** @type {(node: any) => string} */
const firstText = node => {
    for (const child of node.childNodes) {
        const text = child.nodeType === 3 ? squeeze(child.nodeValue) : SILENT.test(child.nodeName) ? '' : firstText(child);
        if (text) return text;
    }
    return '';
};

module.exports = {dialogText, inputText, controlText, visibleText};
