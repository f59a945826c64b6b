// @ts-check
// Opens a scene's sprite and takes the block out of its place that the scene is about, if it does. The first call
// after a project was loaded keeps its blocks, later ones put them back.

const {findBlock} = require('../lib/find-block');
const {flush, redraw} = require('../../shared/lib/frames');
const {keepBlocks, restoreBlocks} = require('../lib/kept-blocks');

/** @typedef {import('../lib/find-block').BlockName} BlockName */
/**
 * Taken out alone, or with all below it; laid down at a place in workspace units, or thrown away.
 * @typedef {{block: BlockName, alone?: boolean, lay?: [number, number]}} Removal
 */
/** @typedef {import('../../types/page').Ctx} Ctx */

/**
 * @param {Ctx} ctx
 * @param {string} name of a sprite, or Stage
 */
const openTarget = ({vm, fail}, name) => {
    const target = vm.runtime.targets.find((/** @type {any} */ one) => one.isOriginal && one.getName() === name);
    if (!target) fail('unknown_target', `there is no sprite ${JSON.stringify(name)}`);
    if (vm.editingTarget !== target) vm.setEditingTarget(target.id);
};

/**
 * @param {Ctx} ctx
 * @param {Removal} removal
 */
const take = (ctx, {block: name, alone = false, lay}) => {
    const block = findBlock(ctx, name, false);
    // Blockly closes up stacks for blocks that have something above them, and would take all along with a hat.
    if (alone && !block.previousConnection && block.getNextBlock()) block.nextConnection.disconnect();
    if (lay) {
        block.unplug(alone);
        const {x, y} = block.getRelativeToSurfaceXY();
        block.moveBy(lay[0] - x, lay[1] - y);
    } else {
        block.dispose(alone);
    }
};

/** @type {import('../../types/page').PageFn<{again: boolean, sprite: string | null, removal: Removal | null}, boolean>} */
module.exports = async (ctx, {again, sprite, removal}) => {
    if (!again) keepBlocks(ctx.vm, 'project');
    else if (!restoreBlocks(ctx.vm, 'project')) return false;
    else await redraw(ctx);
    if (sprite !== null) {
        openTarget(ctx, sprite);
        await flush();
    }
    if (removal) {
        const {workspace} = ctx;
        // Blocks that render outside a drag push neighbours away, by random distances.
        workspace.isDragging = () => true;
        try {
            take(ctx, removal);
            await flush();
        } finally {
            delete workspace.isDragging;
        }
    }
    return true;
};
