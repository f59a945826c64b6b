// @ts-check
// Marks over pictures of blocks: outlines of blocks and of what is in their slots, and lines where a block is missing.
// They are seen on blocks of any colour, also by people who see no colours: dark lines on white ones, whole or dashed.

const SVG = 'http://www.w3.org/2000/svg';

/** Below and above each other: colour and width, in workspace units. */
const STROKES = [['#ffffff', 11], ['#a1004f', 6]];
/** Where a block is missing: a line, in workspace units, that begins left of the notch. */
const GAP = {line: 'm -12,0 h 200', dashes: '16 9'};

/**
 * @typedef {{block: string, input: string | null}} Mark a block by its id, and one of its slots where only that is meant
 * @typedef {{above: string | null, input: string | null, below: string | null}} Gap where a block is missing: below the one
 *     block or in its slot or mouth, or above the other
 */

/** @param {any} block whose document is drawn in @param {string} shape @param {{x: number, y: number}} at @param {string} dashes */
const strokes = (block, shape, {x, y}, dashes) => STROKES.map(([colour, width]) => {
    const path = block.getSvgRoot().ownerDocument.createElementNS(SVG, 'path');
    const looks = {
        d: shape,
        transform: `translate(${x},${y})`,
        fill: 'none',
        stroke: colour,
        'stroke-width': width,
        'stroke-linejoin': 'round',
        // White shows between the dashes.
        'stroke-dasharray': colour === '#ffffff' ? '' : dashes
    };
    for (const [name, value] of Object.entries(looks)) if (value !== '') path.setAttribute(name, String(value));
    return path;
});

/** @param {any} block of the workspace */
const outline = (block, dashes = '') =>
    strokes(block, block.pathObject.svgPath.getAttribute('d'), block.getRelativeToSurfaceXY(), dashes);

/** @param {any} block @param {string | null} name @returns {any} what is in its slot; the block itself if nothing is, or the slot is a mouth */
const meant = (block, name) => {
    const connection = name === null ? null : block.getInput(name)?.connection;
    const isSlot = connection && !connection.targetConnection?.getSourceBlock().previousConnection;
    return (isSlot && connection.targetBlock()) || block;
};

/** @param {any} workspace @param {Mark[]} marks @returns {SVGElement[]} */
const outlines = (workspace, marks) => marks.flatMap(({block: id, input}) => {
    const block = workspace.getBlockById(id);
    return block ? outline(meant(block, input)) : [];
});

/** @param {any} workspace @param {Gap[]} gaps @returns {SVGElement[]} */
const gapLines = (workspace, gaps) => gaps.flatMap(({above, input, below}) => {
    const block = above && workspace.getBlockById(above);
    const next = below && workspace.getBlockById(below);
    if (block && input !== null) {
        const inside = meant(block, input);
        if (inside !== block) return outline(inside, GAP.dashes);
    }
    const connection = block ? (input === null ? block.nextConnection : block.getInput(input)?.connection) : null;
    if (connection) return strokes(block, GAP.line, connection, GAP.dashes);
    if (next) return strokes(next, GAP.line, next.getRelativeToSurfaceXY(), GAP.dashes);
    return block ? outline(block, GAP.dashes) : [];
});

module.exports = {gapLines, outlines};
