// @ts-check
// The blocks on the canvas and in the palette, with what is written on them, what they hang on and where they lie.

const {shownText} = require('../../page/lib/block-text');
const {VALUE, numbered} = require('../../shared/lib/workspace-view');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {[number, number, number, number]} Box left, top, right, bottom */
/**
 * A slot or mouth: the default block that it has when it is empty, what that shows, and the block in it.
 * @typedef {{name: string, value: boolean, boolean: boolean, shadow: string | null, shown: string, holds: string | null}} Slot
 */
/**
 * `own` is the block without those below it, `stack` with them; workspace units.
 * @typedef {{id: string, opcode: string, text: string, parent: string | null, input: string | null, next: string | null,
 *   hat: boolean, output: boolean, own: Box, stack: Box, slots: Slot[]}} CanvasBlock
 */
/**
 * `down` is how far the block's top lies below the top of its category, in pixels.
 * @typedef {{opcode: string, text: string, category: string, down: number, height: number}} PaletteBlock
 */

/**
 * @param {any} input an input with a connection
 * @returns {Slot}
 */
const slotOf = input => {
    const {connection} = input;
    const inside = connection.targetBlock();
    const check = connection.getCheck();
    const shadow = connection.getShadowState(true);
    return {
        name: input.name,
        value: connection.type === VALUE,
        boolean: Boolean(check && check.includes('Boolean')),
        shadow: shadow ? shadow.type : null,
        shown: inside && inside.isShadow() ? shownText(inside) : '',
        holds: inside && !inside.isShadow() ? inside.id : null
    };
};

/**
 * @param {any} block on the canvas
 * @returns {CanvasBlock}
 */
const canvasBlock = block => {
    const parent = block.getParent();
    const input = parent && parent.getInputWithBlock(block);
    const next = block.getNextBlock();
    const {x, y} = block.getRelativeToSurfaceXY();
    const whole = block.getHeightWidth();
    return {
        id: block.id,
        opcode: block.type,
        text: shownText(block),
        parent: parent ? parent.id : null,
        input: input ? input.name : null,
        next: next ? next.id : null,
        hat: !block.previousConnection && !block.outputConnection,
        output: Boolean(block.outputConnection),
        own: [x, y, x + block.width, y + block.height],
        stack: [x, y, x + whole.width, y + whole.height],
        slots: block.inputList.filter((/** @type {any} */ one) => one.connection && block.type !== 'procedures_definition').map(slotOf)
    };
};

/**
 * @param {any} workspace the main workspace
 * @returns {PaletteBlock[]} all blocks of the palette, whatever it shows now
 */
const paletteBlocks = workspace => {
    const flyout = workspace.getFlyout();
    const {scale} = flyout.getWorkspace();
    const begins = workspace.getToolbox().getToolboxItems()
        .filter((/** @type {any} */ item) => item.isSelectable())
        .map((/** @type {any} */ item) => ({id: item.getId(), y: flyout.getCategoryScrollPosition(item.getName())}))
        .filter((/** @type {any} */ {y}) => y !== null);
    return flyout.getWorkspace().getTopBlocks(true).map((/** @type {any} */ block) => {
        const {y} = block.getRelativeToSurfaceXY();
        const {id, y: top} = begins.filter((/** @type {any} */ category) => category.y <= y).pop();
        return {opcode: block.type, text: shownText(block), category: id, down: (y - top) * scale, height: block.height * scale};
    });
};

/** @type {import('../../types/page').PageFn<null, {blocks: CanvasBlock[], palette: PaletteBlock[], canvas: Box, origin: [number, number]}>} */
module.exports = ({workspace}) => {
    const {left, top, right, bottom} = workspace.getParentSvg().getBoundingClientRect();
    const {e, f} = workspace.getCanvas().getScreenCTM();
    const area = workspace.getMetricsManager().getAbsoluteMetrics();
    return {
        blocks: numbered(workspace).map(canvasBlock),
        palette: paletteBlocks(workspace),
        canvas: [left + area.left, top + area.top, right, bottom],
        origin: [e - workspace.scrollX, f - workspace.scrollY]
    };
};
