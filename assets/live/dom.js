// @ts-check
// Making elements. Texts are always set as text: nothing from a session is ever read as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Attributes `onclick` and its like are listeners; true and false switch an attribute */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
    put(element, children);
};

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const h = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
};

/**
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElement}
 */
export const svg = (tag, attributes = {}, ...children) => {
    const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
    fill(element, attributes, children);
    return element;
};

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {Child[]} children
 */
export const put = (element, children) => {
    const nodes = children.filter(child => child !== null && child !== undefined && child !== false);
    element.replaceChildren(...nodes.map(child => (child instanceof Node ? child : String(child))));
};

/**
 * Sets a text only if it is another one: screen readers would read it again.
 * @param {Element} element
 * @param {string} text
 */
export const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
};
