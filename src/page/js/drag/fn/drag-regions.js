// @ts-check
// Where a single drag must begin and end to bring two blocks into a wanted relation, pixel by pixel: the start from
// the browser's hit testing, the end from the editor's own search for connections, played through for the way
// that our drags take.

const {Probe} = require('../lib/drag-probe');
const {linksOf, makes, wantedLinks} = require('../lib/drag-relation');
const {endRegion} = require('../lib/drag-ends');
const {findBlock} = require('../lib/find-block');
const {sparseRunsOf} = require('../lib/pixel-rows');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {import('../lib/drag-relation').Link} Link */
/** @typedef {import('../lib/find-block').BlockName} BlockName */
/**
 * @typedef {{source: {block: BlockName, palette?: boolean}, relation: {kind: any, target: BlockName, input?: string},
 *   path: import('../lib/drag-path').PathRules}} Args
 */

/** The dragged block, in links. A block from the palette has no id before it is dragged. */
const SOURCE = '@source';

/**
 * @param {any} block a block
 * @returns {(x: number, y: number) => boolean} whether the mouse pressed at a pixel takes this block along
 */
const graspedAt = block => {
    const canvas = block.workspace.getCanvas();
    return (x, y) => {
        const top = document.elementFromPoint(x, y);
        const group = top && top.closest('[data-id]');
        if (!group || !canvas.contains(group)) {
            // While a block is dragged or selected it may lie on another layer; at rest all blocks lie on the canvas.
            return false;
        }
        let hit = block.workspace.getBlockById(group.getAttribute('data-id'));
        if (hit && hit.isInFlyout) return hit.getRootBlock() === block;
        while (hit && (hit.isShadow() || hit.type === 'procedures_prototype')) hit = hit.getParent();
        return hit === block;
    };
};

/**
 * @param {any} block a block
 * @returns {{left: number, top: number, right: number, bottom: number}} the pixels of the viewport around it, those of
 * the blocks below it left out
 */
const boxOf = block => {
    const {left, top, right, bottom} = block.pathObject.svgPath.getBoundingClientRect();
    return {
        left: Math.max(0, Math.floor(left)),
        top: Math.max(0, Math.floor(top)),
        right: Math.min(innerWidth - 1, Math.ceil(right)),
        bottom: Math.min(innerHeight - 1, Math.ceil(bottom))
    };
};

/**
 * @param {any} workspace a workspace
 * @returns {DOMRect[]} what is drawn around its blocks: beside the edge of one there may be a thin strip of another
 */
const outlinesIn = workspace =>
    workspace.getAllBlocks(false).map((/** @type {any} */ block) => block.pathObject.svgPath.getBoundingClientRect());

/**
 * @param {{left: number, top: number, right: number, bottom: number}} box
 * @returns {[number, number]} the pixel in its middle
 */
const middleOf = ({left, top, right, bottom}) => [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];

/**
 * @param {any} workspace the main workspace
 * @returns {{inside: number[], deletes: number[][]}} where a block may be let go, and where it is thrown away;
 * left, top, right, bottom, all edges belong to it
 */
const dropAreas = workspace => {
    const edges = (/** @type {any} */ {left, top, right, bottom}) => [left, top, right, bottom];
    return {
        inside: edges(workspace.getParentSvg().getBoundingClientRect()),
        deletes: workspace.dragTargetAreas.map((/** @type {any} */ area) => edges(area.clientRect))
    };
};

/**
 * @param {Ctx} ctx
 * @param {import('../lib/drag-relation').Relation} relation what the drag is for
 * @param {Probe} probe the dragged block
 * @returns {Link[]} the links that it must make
 */
const linksFor = (ctx, relation, probe) => {
    const links = wantedLinks(relation, probe.block, probe.tail);
    if (!links) ctx.fail('impossible_relation', `${relation.target.type} has no place for that`);
    return links;
};

/** @type {import('../../types/page').PageFn<Args, any>} */
module.exports = async (ctx, {source, relation, path}) => {
    const {SB, workspace} = ctx;
    const block = findBlock(ctx, source.block, source.palette === true);
    const target = findBlock(ctx, relation.target, false);
    if (!block.dragStrategy.getConnectionCandidate) ctx.fail('not_draggable', `${block.type} is not dragged as blocks are`);
    const began = performance.now();
    const box = boxOf(block);
    const start = sparseRunsOf(box, graspedAt(block), outlinesIn(block.workspace));
    const hit = performance.now();
    const probe = new Probe(SB, workspace, block);
    try {
        const wanted = linksFor(ctx, /** @type {any} */ ({...relation, target}), probe);
        const fits = (/** @type {any} */ local, /** @type {any} */ neighbour) => makes(linksOf(SB.Connection, local, neighbour), wanted);
        const {config} = SB;
        const radii = {snap: config.snapRadius, keep: config.connectingSnapRadius, preference: config.currentConnectionPreference};
        const ends = await endRegion(probe, fits, {radii, scale: workspace.scale, path});
        const named = (/** @type {string} */ id) => (probe.fromPalette && id === probe.block.id ? SOURCE : id);
        return {
            regions: {
                source: probe.fromPalette ? null : block.id,
                links: wanted.map(({parent, input, child}) => ({parent: named(parent), input, child: named(child)})),
                start,
                ends: ends.runs,
                areas: dropAreas(workspace)
            },
            seeds: {start: middleOf(box), offset: ends.aim},
            previews: ends.previews,
            timing: {start_ms: hit - began, end_ms: performance.now() - hit}
        };
    } finally {
        await probe.end();
    }
};
