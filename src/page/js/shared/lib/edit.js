// @ts-check
// The frame around every edit of blocks: resolve indexes, change the workspace in one undo group, wait for
// the VM, check that it followed, number the blocks anew.

const {flush} = require('./frames');
const {pseudocode} = require('./pseudocode');
const {caller} = require('./variables');
const {numbered, workspaceView} = require('./workspace-view');
const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {import('../../types/composite').Edited} Edited */
/** @typedef {import('../../types/composite').EditArgs} EditArgs */

/**
 * @param {Ctx} ctx the page function's context
 * @returns {{numbering: import('../../types/composite').Numbering, pseudocode: string, choices: string[]}} the blocks as
 *     they are now, and what their dropdowns offer
 */
const described = ctx => {
    const {ids, pseudocode: text, choices} = pseudocode(workspaceView(ctx.workspace, caller(ctx)));
    return {numbering: {target: ctx.vm.editingTarget.id, blocks: ids}, pseudocode: text, choices};
};

/**
 * @param {Ctx} ctx the page function's context
 * @returns {{numbering: import('../../types/composite').Numbering, pseudocode: string}} the blocks as they are now
 */
const snapshot = ctx => {
    const {numbering, pseudocode: text} = described(ctx);
    return {numbering, pseudocode: text};
};

/**
 * @param {Ctx} ctx the page function's context
 */
const requireEditor = ctx => {
    if (!ctx.workspace || !ctx.vm.editingTarget) {
        ctx.fail('editor_not_ready', 'no sprite is open in the editor', 'load or reset the project first');
    }
};

/**
 * Gives access to blocks by index, and refuses when the caller's numbering is no longer true.
 * @param {Ctx} ctx the page function's context
 * @param {import('../../types/composite').Numbering | null | undefined} known what the caller's indexes refer to
 * @returns {(index: number) => any} the block that an index stands for
 */
const indexer = (ctx, known) => {
    const blocks = numbered(ctx.workspace);
    const current = known && known.target === ctx.vm.editingTarget.id && known.blocks.length === blocks.length &&
        blocks.every((block, at) => block.id === known.blocks[at]);
    return index => {
        if (known && !current) {
            ctx.fail('stale_index', `block #${index} refers to a numbering that is no longer true: ` +
                'the blocks or the editing target were changed by other means', 'observe again, then use the new indexes');
        }
        const block = blocks[index - 1];
        if (!block) {
            const count = blocks.length ? `the blocks are #1 to #${blocks.length}` : 'there are no blocks';
            ctx.fail('unknown_index', `there is no block #${index}: ${count}`, 'use an index of the last observation');
        }
        return block;
    };
};

/**
 * @param {any} block a block, or null
 * @param {string[]} ids block ids in the order of their indexes
 * @returns {number | null} the block's index
 */
const indexIn = (block, ids) => {
    const at = block ? ids.indexOf(block.id) : -1;
    return at < 0 ? null : at + 1;
};

/**
 * @param {Ctx} ctx the page function's context
 * @returns {string | null} the first thing in which the VM differs from the workspace, or null
 */
const difference = ctx => {
    const vmBlocks = ctx.vm.editingTarget.blocks;
    for (const block of numbered(ctx.workspace)) {
        const twin = vmBlocks.getBlock(block.id);
        if (!twin) return `${block.type} is missing from the program`;
        const parent = block.getParent();
        if ((twin.parent || null) !== (parent ? parent.id : null)) return `${block.type} is connected differently`;
    }
    return null;
};

/**
 * Takes back what a change that threw half-way had already done.
 * @param {any} workspace the main workspace
 * @param {string} group the change's undo group
 */
const takeBack = async (workspace, group) => {
    await flush();
    const last = seams().undoStacks(workspace)[0].at(-1);
    if (last && last.group === group) workspace.undo(false);
    await flush();
};

/**
 * Checks everything it can before it touches the workspace, changes it at one go, and returns a function that
 * tells the outcome. Indexes are the old ones in the change itself and the new ones in that function.
 * @callback Change
 * @param {(index: number) => any} blockAt the block that an index stands for
 * @param {(block: any) => number | null} indexOf the index of a block
 * @returns {(indexOf: (block: any) => number | null) => Record<string, unknown>} tells the outcome
 */

/**
 * @param {Ctx} ctx the page function's context
 * @param {EditArgs} args with the caller's numbering
 * @param {Change} change the edit itself
 * @returns {Promise<Edited>} the outcome
 */
const edit = async (ctx, args, change) => {
    requireEditor(ctx);
    const {SB, workspace} = ctx;
    const outer = SB.Events.getGroup();
    SB.Events.setGroup(true);
    const group = SB.Events.getGroup();
    let report;
    try {
        const ids = numbered(workspace).map(block => block.id);
        report = change(indexer(ctx, args.numbering), block => indexIn(block, ids));
    } catch (error) {
        SB.Events.setGroup(outer);
        await takeBack(workspace, group);
        throw error;
    } finally {
        SB.Events.setGroup(outer);
    }
    await flush();
    const wrong = difference(ctx);
    if (wrong) ctx.fail('out_of_step', `the edit did not reach the program: ${wrong}`, 'observe again before going on');
    const now = snapshot(ctx);
    return {data: report(block => indexIn(block, now.numbering.blocks)), ...now};
};

/**
 * Puts a loose block under everything else, so that nothing covers it.
 * @param {any} workspace the main workspace
 * @param {any} block a block that is connected to nothing above it
 */
const placeBelow = (workspace, block) => {
    const {x, y} = freePlace(workspace, block);
    const at = block.getRelativeToSurfaceXY();
    block.moveBy(x - at.x, y - at.y);
};

/**
 * @param {any} workspace the main workspace
 * @param {any} [block] one that does not count
 * @returns {{x: number, y: number}} where nothing is: under everything else
 */
const freePlace = (workspace, block) => {
    const GAP = 40;
    const others = workspace.getTopBlocks(false).filter((/** @type {any} */ top) => top !== block);
    if (!others.length) return {x: 0, y: 0};
    const boxes = others.map(seams().boundsOf);
    return {
        x: Math.min(...boxes.map((/** @type {any} */ box) => box.left)),
        y: Math.max(...boxes.map((/** @type {any} */ box) => box.bottom)) + GAP
    };
};

module.exports = {described, edit, flush, freePlace, placeBelow, requireEditor, snapshot};
