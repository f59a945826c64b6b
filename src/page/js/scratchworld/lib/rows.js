// @ts-check
// How the reference server lists elements: which box, whether it counts as seen, which text. Its
// rules are kept as they are, so that lists stay comparable; lib/page-controls.js has ours.

/** What the reference's clients ask for and this editor names otherwise; default blocks were never draggable there. */
const ALIASES = /** @type {Record<string, string>} */ ({
    '.scratchCategoryMenuItem': '.scratchCategoryMenuItem, .blocklyToolboxCategory',
    '.blocklyDraggable': '.blocklyDraggable:not(.blocklyShadow)'
});

/** @type {(page: Document, selector: string) => Element[]} nothing for a selector that is none */
const select = (page, selector) => {
    try {
        return [...page.querySelectorAll(ALIASES[selector] || selector)];
    } catch {
        return [];
    }
};

/**
 * @param {Document} page
 * @param {string} selector as the client sent it
 * @returns {Element[]} its matches in the order of the document, blocks of the palette from top to bottom
 */
const matches = (page, selector) => {
    const found = select(page, selector);
    const inPalette = (/** @type {Element} */ element) => Boolean(element.closest('.blocklyFlyout'));
    const top = (/** @type {Element} */ element) => element.getBoundingClientRect().top;
    // The palette reuses its blocks, so the document's order says nothing there.
    return [...found.filter(one => !inPalette(one)), ...found.filter(inPalette).sort((a, b) => top(a) - top(b))];
};

/** @type {(element: Element) => boolean} */
const isBlock = element => element.classList.contains('blocklyDraggable');

/** @type {(element: Element) => Element} what is measured: of a block its own outline */
const measured = element => (isBlock(element) && element.querySelector('path.blocklyBlockBackground, path.blocklyPath')) || element;

/**
 * @param {Element} element
 * @returns {{x: number, y: number, width: number, height: number}} whole pixels
 */
const boxOf = element => {
    const {x, y, width, height} = measured(element).getBoundingClientRect();
    return {x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height)};
};

/** @type {(box: {x: number, y: number, width: number, height: number}) => boolean} */
const isInView = ({x, y, width, height}) => x + width > 0 && y + height > 0 && x < innerWidth && y < innerHeight;

/**
 * The middle decides, for a block the middle of everything that hangs on it.
 * @param {Element} element
 */
const isOnTop = element => {
    const {left, top, width, height} = element.getBoundingClientRect();
    if (!width || !height) return false;
    const hit = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return Boolean(hit) && element.contains(hit);
};

/** @type {(input: HTMLInputElement) => string} */
const inputText = input => {
    const attribute = (/** @type {string} */ name) => input.getAttribute(name);
    const isTick = /^(checkbox|radio)$/.test(input.type);
    const parts = [attribute('name')];
    // What is typed now, where the reference tells what the page was made with.
    const value = isTick ? attribute('value') : input.value;
    if (value) parts.push(`value: ${value}`);
    if (attribute('placeholder')) parts.push(`placeholder: ${attribute('placeholder')}`);
    if (isTick) parts.push(input.checked ? 'checked' : 'unchecked');
    return parts.filter(Boolean).join(' ');
};

/** @type {(element: any) => string} */
const textOf = element => {
    const own = element.tagName === 'INPUT' ? inputText(element) : '';
    const text = own || element.getAttribute('aria-label') || element.getAttribute('title') || element.innerText ||
        element.textContent || '';
    return text.replace(/\n/g, ' ').trim();
};

/** @type {(element: Element) => boolean} */
const isSeen = element => isInView(boxOf(element)) && isOnTop(element);

module.exports = {boxOf, isBlock, isSeen, matches, textOf};
