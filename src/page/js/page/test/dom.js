// @ts-check
// A page for tests: jsdom with the layout that a test writes down, since jsdom has none of its own.
// Boxes are given as `data-box="left top right bottom"`; of several boxes around a point, the one later in
// the document is on top.

const {createRequire} = require('node:module');
const {join} = require('node:path');

const {JSDOM} = createRequire(join(__dirname, '../../../../../scratch-gui/package.json'))('jsdom');

/** Globals of a page that page functions use. */
const GLOBALS = ['document', 'location', 'getComputedStyle', 'NodeFilter', 'Node', 'Element', 'HTMLElement', 'MutationObserver'];

/**
 * Makes a page from HTML and installs it as the global page until the test ends.
 * @param {import('node:test').TestContext} t
 * @param {string} html
 * @returns {any} the window
 */
const page = (t, html) => {
    const {window} = new JSDOM(`<!doctype html><body>${html}</body>`, {pretendToBeVisual: true, url: 'http://localhost/'});
    const {document} = window;
    /** @type {(element: any) => any} */
    const boxOf = element => {
        const owner = element.closest('[data-box]');
        const [left, top, right, bottom] = (owner?.getAttribute('data-box') || '0 0 0 0').split(' ').map(Number);
        return {left, top, right, bottom, x: left, y: top, width: right - left, height: bottom - top};
    };
    window.Element.prototype.getBoundingClientRect = function () {
        return boxOf(this);
    };
    window.Range.prototype.getBoundingClientRect = function () {
        return boxOf(this.startContainer.parentElement ?? this.startContainer);
    };
    document.elementsFromPoint = (/** @type {number} */ x, /** @type {number} */ y) =>
        [...document.querySelectorAll('[data-box]')]
            .filter(element => {
                const {left, top, right, bottom} = boxOf(element);
                return x >= left && x < right && y >= top && y < bottom;
            })
            .reverse();
    document.elementFromPoint = (/** @type {number} */ x, /** @type {number} */ y) => document.elementsFromPoint(x, y)[0] ?? null;
    document.getAnimations = () => [];
    Object.defineProperty(document, 'fonts', {value: {status: 'loaded'}});
    const scope = /** @type {any} */ (globalThis);
    const values = {...Object.fromEntries(GLOBALS.map(name => [name, window[name]])), innerWidth: 1280, innerHeight: 720};
    for (const [name, value] of Object.entries({...values, requestAnimationFrame: window.requestAnimationFrame.bind(window)})) {
        scope[name] = value;
    }
    t.after(() => window.close());
    return window;
};

module.exports = {page};
