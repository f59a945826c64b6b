// @ts-check
// One look at the page: everything that can be operated and every piece of text, as far as it can be
// seen in the viewport. Order of the list: stage, canvas, inputs, sprites, blocks (canvas, then palette,
// each block followed by its fields), the other kinds in the order of lib/page-controls.js, text; within
// a kind the order of the document.

const {center, intersect, isAtLeast, probes, toPixels, union} = require('../lib/boxes.js');
const {clipper, hitTest, rowsOnPage} = require('../lib/element-rows.js');
const {CONTAINERS} = require('../lib/page-controls.js');
const {squeeze} = require('../lib/block-text.js');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../lib/boxes.js').Box} Box */
/** @typedef {import('../lib/boxes.js').Point} Point */
/** @typedef {import('../lib/element-rows.js').Row} Row */
/** @typedef {{type: string, text: string, position: {x: number, y: number, width: number, height: number}, point: Point | null}} Listed */

/** Less than this many pixels of a thing, either way, are too little to see or to hit. */
const LEAST = 5;

/** @param {Element} element */
const isDrawn = element =>
    !element.checkVisibility || element.checkVisibility({opacityProperty: true, visibilityProperty: true});

/**
 * @param {Row} row
 * @param {(point: Point) => Row | null} hit
 * @returns {Point | null} where a click reaches the row itself, its middle if possible
 */
const reach = (row, hit) => {
    const own = (/** @type {Point} */ point) => hit(point) === row;
    const middle = center(row.box);
    if (own(middle)) return middle;
    if (isCovered(row, middle)) return null;
    for (const handle of row.handles || []) {
        const point = center(intersect(handle.getBoundingClientRect(), row.box));
        if (own(point)) return point;
    }
    return probes(row.box).find(own) || null;
};

/**
 * Under a dialog everything is hidden: one look saves probing each element all over.
 * @param {Row} row
 * @param {Point} middle
 * @returns {boolean} whether a single box of the page lies over all of it
 */
const isCovered = (row, {x, y}) => {
    const top = document.elementFromPoint(x, y);
    if (!(top instanceof HTMLElement) || row.node.contains(top)) return false;
    const over = top.getBoundingClientRect();
    const {left, top: upper, right, bottom} = row.box;
    return over.left <= left && over.top <= upper && over.right >= right && over.bottom >= bottom;
};

/**
 * Text that no listed control shows: labels, headings, messages.
 * @param {Set<any>} operated nodes of all controls that are not mere containers
 * @param {(element: Element) => Box} clip
 * @returns {Listed[]}
 */
const texts = (operated, clip) => {
    /** @type {Map<Element, {text: string, box: Box}>} */
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        const text = squeeze(node.nodeValue);
        if (!text || !parent || parent.closest(`style, script, noscript, title, ${seams().selectors.block}`)) continue;
        if (isInside(parent, operated)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const visible = intersect(range.getBoundingClientRect(), clip(parent));
        if (!isAtLeast(visible, LEAST) || !isDrawn(parent) || !isOnTop(parent, visible)) continue;
        const before = found.get(parent);
        found.set(parent, before ? {text: `${before.text} ${text}`, box: union(before.box, visible)} : {text, box: visible});
    }
    return [...found.values()].map(({text, box}) => ({type: 'text', text, position: toPixels(box), point: null}));
};

/**
 * @param {Element | null} element
 * @param {Set<any>} nodes
 */
const isInside = (element, nodes) => {
    for (let one = element; one; one = one.parentElement) if (nodes.has(one)) return true;
    return false;
};

/**
 * Text lets clicks through to what it is written on, and layout boxes without a paint of their own may
 * lie over it; neither hides it.
 * @param {Element} parent the element that the text is in
 * @param {Box} box
 */
const isOnTop = (parent, box) => {
    const {x, y} = center(box);
    for (const top of document.elementsFromPoint(x, y)) {
        if (parent.contains(top) || top.contains(parent)) return true;
        if (isPainted(top)) return false;
    }
    return false;
};

/** @param {Element} element */
const isPainted = element => {
    if (!(element instanceof HTMLElement) || /^(IMG|CANVAS|INPUT|TEXTAREA)$/.test(element.tagName)) return true;
    const {backgroundColor, backgroundImage} = getComputedStyle(element);
    return !/^(none)?$/.test(backgroundImage) || !/^(transparent|rgba\(0, 0, 0, 0\))?$/.test(backgroundColor);
};

/** @type {import('../../types/page').PageFn<null, {elements: Listed[]}>} */
module.exports = ctx => {
    const clip = clipper(document);
    const rows = rowsOnPage(ctx, clip, document);
    const hit = hitTest(rows, document);
    /** @type {Listed[]} */
    const elements = [];
    for (const row of rows) {
        if (!isAtLeast(row.box, LEAST) || !isDrawn(row.node)) continue;
        const point = reach(row, hit);
        if (!point) continue;
        const middle = center(row.box);
        const moved = point.x !== middle.x || point.y !== middle.y;
        elements.push({type: row.type, text: row.text, position: toPixels(row.box), point: moved ? point : null});
    }
    const operated = new Set(rows.filter(row => !CONTAINERS.has(row.type)).map(row => row.node));
    return {elements: [...elements, ...texts(operated, clip)]};
};
