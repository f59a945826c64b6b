// @ts-check
// What there is on the canvas and how much of it can be seen, by the browser's own layout and outlines.
// Blocks are numbered in the order of scripts; default blocks count as parts of the blocks they belong to.

const {ownerOf, squeeze} = require('../../page/lib/block-text');
const {sortOptions} = require('../../shared/lib/choices');
const {intersect, union} = require('../../page/lib/boxes');
const {lettersSeen, shares} = require('../lib/sight');
const {VALUE, numbered} = require('../../shared/lib/workspace-view');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../page/lib/boxes').Box} Box */

/** @param {DOMRect | Box} rect @returns {Box} its edges */
const edges = ({left, top, right, bottom}) => ({left, top, right, bottom});

/**
 * @param {any} workspace the main workspace
 * @returns {Box} the part of the page where its blocks can be seen
 */
const viewOf = workspace => {
    const whole = edges(workspace.getParentSvg().getBoundingClientRect());
    const left = Math.max(whole.left, seams().paletteEdge(workspace.getFlyout()) ?? whole.left);
    return intersect({...whole, left}, {left: 0, top: 0, right: innerWidth, bottom: innerHeight});
};

/**
 * @param {any} block a block
 * @returns {any[]} its default blocks
 */
const shadowsOf = block => block.getChildren(false).filter((/** @type {any} */ child) => child.isShadow());

/**
 * @param {any} block a block
 * @returns {Box} its outline with those of its default blocks
 */
const ownBox = block => shadowsOf(block).reduce(
    (/** @type {Box} */ box, /** @type {any} */ shadow) => union(box, ownBox(shadow)),
    edges(seams().outline(block).getBoundingClientRect()));

/**
 * @param {SVGTextContentElement} text an element with letters
 * @returns {Box[]} the box of each letter on the page
 */
const lettersOf = text => {
    const matrix = /** @type {DOMMatrix} */ (text.getScreenCTM());
    return Array.from({length: text.getNumberOfChars()}, (_, at) => {
        const {x, y, width, height} = text.getExtentOfChar(at);
        const from = new DOMPoint(x, y).matrixTransform(matrix);
        const to = new DOMPoint(x + width, y + height).matrixTransform(matrix);
        return {left: from.x, top: from.y, right: to.x, bottom: to.y};
    });
};

/**
 * @param {any} workspace the main workspace
 * @returns {Box[]} the boxes of what lies over blocks
 */
const overlays = workspace => [...workspace.getParentSvg().parentElement.querySelectorAll(seams().selectors.overlays)]
    .map(element => edges(element.getBoundingClientRect()));

/**
 * The outlines of all blocks as they are painted: in the order of the document, each over those before it.
 * @param {any} workspace the main workspace
 * @param {Map<any, number>} numbers of the blocks
 * @returns {{number: number, box: Box, holds: (x: number, y: number) => boolean}[]} the topmost first
 */
const outlines = (workspace, numbers) => {
    const painter = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext('2d'));
    /** @type {SVGPathElement[]} */
    const paths = [...workspace.getCanvas().querySelectorAll('path.blocklyPath')];
    return paths.map(path => {
        const group = path.closest('[data-id]');
        let owner = ownerOf(workspace.getBlockById(group && group.getAttribute('data-id')));
        while (owner && !numbers.has(owner)) owner = owner.getParent();
        const outline = new Path2D(path.getAttribute('d') || '');
        const back = /** @type {DOMMatrix} */ (path.getScreenCTM()).inverse();
        return {
            number: owner ? /** @type {number} */ (numbers.get(owner)) : -1,
            box: edges(path.getBoundingClientRect()),
            holds: (/** @type {number} */ x, /** @type {number} */ y) =>
                painter.isPointInPath(outline, back.a * x + back.c * y + back.e, back.b * x + back.d * y + back.f)
        };
    }).reverse();
};

/**
 * Hit testing would tell the same, and takes a millisecond a point where there are many blocks.
 * @param {any} workspace the main workspace
 * @param {Map<any, number>} numbers of the blocks
 * @param {Box} view the part of the page where blocks can be seen
 * @returns {import('../lib/sight').Stack} the blocks at a point of the page, from top to bottom
 */
const stackOf = (workspace, numbers, view) => {
    const covers = overlays(workspace);
    const blocks = outlines(workspace, numbers);
    const within = (/** @type {Box} */ {left, top, right, bottom}, /** @type {number} */ x, /** @type {number} */ y) =>
        left <= x && x < right && top <= y && y < bottom;
    return (x, y) => {
        /** @type {number[]} */
        const stack = !within(view, x, y) || covers.some(box => within(box, x, y)) ? [-1] : [];
        for (const {number, box, holds} of blocks) {
            if (within(box, x, y) && holds(x, y) && stack[stack.length - 1] !== number) stack.push(number);
        }
        return stack;
    };
};

/**
 * @param {any} connection a connection
 * @param {any} workspace the main workspace
 * @returns {{x: number, y: number}} where it is on the page
 */
const placeOf = (connection, workspace) => {
    const {left, top} = workspace.getParentSvg().getBoundingClientRect();
    const shift = workspace.getOriginOffsetInPixels();
    const {x, y} = seams().placeOf(connection);
    return {x: left + shift.x + x * workspace.scale, y: top + shift.y + y * workspace.scale};
};

/** Default blocks that show a colour or a picture, no text. */
const PICTURED = ['colour_picker', 'matrix', 'note'];

/**
 * @param {any} block a block
 * @returns {{field: any, slot: string, holder: any}[]} what can be typed or chosen on it: its own fields and those of its default blocks
 */
const editable = block => block.inputList.flatMap((/** @type {any} */ input) => {
    const inside = input.connection && input.connection.type === VALUE && input.connection.targetBlock();
    const own = input.fieldRow.filter((/** @type {any} */ field) => field.EDITABLE && field.name)
        .map((/** @type {any} */ field) => ({field, slot: field.name, holder: block}));
    const shadow = inside && inside.isShadow() && !PICTURED.includes(inside.type) ? editable(inside).map((/** @type {any} */ entry) => ({...entry, slot: input.name})) : [];
    return [...own, ...shadow];
});

/** @param {any} field @returns {any} the element with its letters, if it has one */
const lettering = field => {
    const root = field.getSvgRoot();
    return root.matches('text') ? root : root.querySelector('text');
};

/**
 * @param {{field: any, slot: string, holder: any}} entry an editable field
 * @param {(letters: Box[]) => string} look which letters are seen
 * @returns {any} what is to know of it
 */
const fieldFacts = ({field, slot, holder}, look) => {
    const text = lettering(field);
    const shown = text ? squeeze(text.textContent) : '';
    return {
        slot,
        holder: holder.isShadow() ? holder.type : null,
        dropdown: typeof field.getOptions === 'function',
        text: field.getText(),
        // Long texts are cut, and blanks at the ends can't be seen.
        whole: text !== null && shown === field.getText(),
        seen: text ? look(lettersOf(text)) : '',
        options: typeof field.getOptions === 'function' ? sortOptions(field.getOptions(false)).choices.map(({label}) => label) : []
    };
};

/**
 * @param {any} block a block
 * @param {(letters: Box[]) => string} look which letters are seen
 * @returns {{text: string, seen: string}[]} the words on it
 */
const labelFacts = (block, look) => block.inputList.flatMap((/** @type {any} */ input) => input.fieldRow)
    .filter((/** @type {any} */ field) => !field.EDITABLE && !seams().isPicture(field) && field.getSvgRoot())
    .map((/** @type {any} */ field) => {
        const text = lettering(field);
        return {text: text ? String(text.textContent).replace(/\u00a0/g, ' ') : '', seen: text ? look(lettersOf(text)) : ''};
    });

/** @type {import('../../types/page').PageFn<{sight: boolean}, any>} */
module.exports = ({workspace}, {sight}) => {
    const blocks = numbered(workspace);
    const numbers = new Map(blocks.map((block, at) => [block, at]));
    const numberOf = (/** @type {any} */ block) => numbers.get(block) ?? null;
    const around = (/** @type {any} */ block) => {
        /** @type {number[]} */
        const found = [];
        for (let outer = block.getSurroundParent(); outer; outer = outer.getSurroundParent()) found.push(numbers.get(outer) ?? -1);
        return found;
    };
    const shapes = blocks.map(block => ({box: ownBox(block), ancestors: around(block)}));
    const view = viewOf(workspace);
    const stackAt = stackOf(workspace, numbers, view);
    const areas = sight ? shares(shapes, view, stackAt) : shapes.map(() => ({area: 0, seen: 0, patch: 0}));
    return {
        view,
        scale: workspace.scale,
        blocks: blocks.map((block, at) => {
            const look = (/** @type {Box[]} */ letters) => (sight ? lettersSeen(letters, at, stackAt) : '');
            const up = block.previousConnection && block.previousConnection.targetBlock();
            const {x, y} = block.getRelativeToSurfaceXY();
            return {
                id: block.id,
                opcode: block.type,
                parent: numberOf(block.getParent()),
                follows: Boolean(up) && up.getNextBlock() === block,
                next: numberOf(block.getNextBlock()),
                at: {x, y},
                box: shapes[at].box,
                stack: edges(block.getSvgRoot().getBoundingClientRect()),
                up: block.previousConnection ? placeOf(block.previousConnection, workspace) : null,
                downs: [block.nextConnection, ...block.inputList.filter((/** @type {any} */ one) => one.connection && one.connection.type !== VALUE)
                    .map((/** @type {any} */ one) => one.connection)].filter(Boolean).map(connection => placeOf(connection, workspace)),
                ...areas[at],
                labels: labelFacts(block, look),
                fields: editable(block).map((/** @type {any} */ entry) => fieldFacts(entry, look))
            };
        })
    };
};
