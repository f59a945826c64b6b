// @ts-check
// Where a single drag must begin and end to bring two blocks into a wanted relation, pixel by pixel: the start from
// the browser's hit testing, the end from the editor's own search for connections, played through for the way
// that our drags take.

const {Probe} = require('../lib/drag-probe');
const {linksOf, makes, wantedLinks} = require('../lib/drag-relation');
const {endRegion} = require('../lib/drag-ends');
const {sparseRunsOf} = require('../lib/pixel-rows');
const {numbered} = require('../lib/workspace-view');

/** @typedef {import('../types/page').Ctx} Ctx */
/** @typedef {import('../lib/drag-relation').Link} Link */
/** A block by its opcode, the how-manieth of those in the order of scripts, and what its fields show. */
/** @typedef {{opcode: string, nth: number, fields: Record<string, string>}} BlockName */
/**
 * @typedef {{source: BlockName & {palette: boolean}, relation: {kind: any, target: BlockName, input: string | null},
 *   path: import('../lib/drag-path').PathRules}} Args
 */

/** The dragged block, in links. A block from the palette has no id before it is dragged. */
const SOURCE = '@source';

/**
 * @param {any} block a block
 * @param {Record<string, string>} fields names and values or shown texts
 * @returns {boolean} whether its fields, or those of its default blocks, are so
 */
const shows = (block, fields) => Object.entries(fields).every(([name, text]) => {
    const holders = [block, ...block.getChildren(false).filter((/** @type {any} */ child) => child.isShadow())];
    return holders.some(holder => {
        const field = holder.getField(name);
        return field && (field.getText() === text || field.getValue() === text);
    });
});

/**
 * @param {Ctx} ctx
 * @param {any[]} blocks to choose from
 * @param {BlockName} name which one
 * @returns {any} the block
 */
const find = (ctx, blocks, {opcode, nth, fields}) => {
    const found = blocks.filter(block => block.type === opcode && shows(block, fields));
    if (!found[nth - 1]) {
        ctx.fail('unknown_block', `there is no ${opcode} #${nth} among ${blocks.length} blocks`,
            `${found.length} of them fit the name`);
    }
    return found[nth - 1];
};

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
 * @returns {{left: number, top: number, right: number, bottom: number}} the pixels of the viewport around it
 */
const boxOf = block => {
    const {left, top, right, bottom} = block.getSvgRoot().getBoundingClientRect();
    return {
        left: Math.max(0, Math.floor(left)),
        top: Math.max(0, Math.floor(top)),
        right: Math.min(innerWidth - 1, Math.ceil(right)),
        bottom: Math.min(innerHeight - 1, Math.ceil(bottom))
    };
};

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

/** @type {import('../types/page').PageFn<Args, any>} */
module.exports = async (ctx, {source, relation, path}) => {
    const {SB, workspace} = ctx;
    const palette = workspace.getFlyout().getWorkspace().getTopBlocks(true);
    const block = find(ctx, source.palette ? palette : numbered(workspace), source);
    const target = find(ctx, numbered(workspace), relation.target);
    if (!block.dragStrategy.getConnectionCandidate) ctx.fail('not_draggable', `${source.opcode} is not dragged as blocks are`);
    const began = performance.now();
    const start = sparseRunsOf(boxOf(block), graspedAt(block));
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
            source: probe.fromPalette ? null : block.id,
            links: wanted.map(({parent, input, child}) => ({parent: named(parent), input, child: named(child)})),
            start,
            ends: ends.runs,
            ...dropAreas(workspace),
            previews: ends.previews,
            timing: {start_ms: hit - began, end_ms: performance.now() - hit}
        };
    } finally {
        await probe.end();
    }
};
