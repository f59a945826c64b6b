// @ts-check
// Everything on the page that may become an element of a list, and what of it lies under a point.

const {intersect} = require('./boxes.js');
const {blockRows} = require('./block-rows.js');
const {controls} = require('./page-controls.js');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('./boxes.js').Point} Point */
/**
 * One thing that may become an element.
 * @typedef {{type: string, text: string, node: any, box: Box, handles?: any[]}} Row
 */

const view = () => ({left: 0, top: 0, right: innerWidth, bottom: innerHeight});

/**
 * The part of an element that its scrolling ancestors show.
 * @param {Document} document
 * @returns {(element: Element) => Box}
 */
const clipper = document => {
    /** @type {Map<Element, Box>} */
    const known = new Map();
    /** @type {(element: Element | null) => Box} */
    const inside = element => {
        if (!element) return view();
        let clip = known.get(element);
        if (!clip) {
            clip = inside(element.parentElement);
            const overflow = getComputedStyle(element).overflow;
            if (overflow !== 'visible' && element !== document.body && element !== document.documentElement) {
                clip = intersect(clip, element.getBoundingClientRect());
            }
            known.set(element, clip);
        }
        return clip;
    };
    return element => intersect(element.getBoundingClientRect(), inside(element.parentElement));
};

/**
 * @param {import('../../types/page').Ctx} ctx
 * @returns {Row[]} blocks of the canvas, of the palette, and of a dialog's own workspace
 */
const workspaceRows = ({SB, workspace}) => {
    if (!workspace) return [];
    const palette = workspace.getFlyout().getWorkspace();
    const shown = (/** @type {Element} */ svg) => intersect(svg.getBoundingClientRect(), view());
    const paletteView = shown(palette.getParentSvg());
    const rows = [];
    for (const one of seams().allWorkspaces(SB)) {
        if (!one.rendered || one.isFlyout) continue;
        const svg = one.getParentSvg();
        const area = shown(svg);
        const canvas = one === workspace ? {...area, left: Math.max(area.left, paletteView.right)} : area;
        rows.push({type: 'canvas', text: one === workspace ? 'canvas' : 'canvas of the dialog', node: svg.querySelector('.blocklyMainBackground'), box: canvas});
        rows.push(...blockRows(one, canvas, true));
    }
    return rows.concat(blockRows(palette, paletteView, false));
};

/**
 * Rows of a kind go before those of the kinds after it; sorting is stable, so the document's order stays.
 */
const ORDER = ['stage', 'canvas', 'inputs', 'sprites', 'blocks'];

/**
 * @param {Row[]} pageRows
 * @param {Row[]} blockly
 * @returns {Row[]}
 */
const inOrder = (pageRows, blockly) => {
    const rank = (/** @type {Row} */ row) => (ORDER.indexOf(row.type) + 1 || ORDER.length + 1) - 1;
    const blocks = blockly.filter(row => row.type !== 'canvas');
    const before = [...pageRows, ...blockly.filter(row => row.type === 'canvas')].filter(row => rank(row) < 4);
    const after = pageRows.filter(row => rank(row) >= 4);
    return [...before.sort((a, b) => rank(a) - rank(b)), ...blocks, ...after];
};

/**
 * Finds what a click at a point would operate: the nearest row around whatever is on top there.
 * @param {Row[]} rows
 * @param {Document} document
 * @returns {(point: Point) => Row | null}
 */
const hitTest = (rows, document) => {
    const around = rowAround(rows);
    return ({x, y}) => around(document.elementFromPoint(x, y));
};

/**
 * @param {Row[]} rows
 * @returns {(element: Element | null) => Row | null} the nearest row around an element
 */
const rowAround = rows => {
    const byNode = new Map(rows.map(row => [row.node, row]));
    return element => {
        for (let node = element; node; node = node.parentElement) {
            const row = byNode.get(node);
            if (row) return row;
        }
        return null;
    };
};

/**
 * @param {import('../../types/page').Ctx} ctx
 * @param {(element: Element) => Box} clip the part of an element that can be seen
 * @param {Document} document
 * @returns {Row[]} all rows in the order of the list
 */
const rowsOnPage = (ctx, clip, document) => {
    const pageRows = controls(document).map(row => ({...row, box: clip(row.frame)}));
    return inOrder(pageRows, workspaceRows(ctx));
};

module.exports = {clipper, hitTest, rowAround, rowsOnPage};
