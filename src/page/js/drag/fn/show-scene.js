// @ts-check
// Brings the editor to the state that a scene begins with: blocks as they were kept, category of the palette, zoom
// and scroll. The first call after a project was loaded keeps the blocks, later ones put them back.

const {flush, redraw} = require('../../shared/lib/frames');
const {keepBlocks, restoreBlocks} = require('../lib/kept-blocks');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {{scale: number, x: number, y: number, drawn?: boolean}} View */
/** @typedef {{category: string, scroll?: number}} Palette */

/**
 * Where the palette is scrolled to, or is on its way to.
 * @param {any} flyout the palette
 * @returns {number} pixels, not below zero
 */
const paletteScroll = flyout => seams().glideTarget(flyout) ?? -flyout.getWorkspace().scrollY;

/**
 * @param {Ctx} ctx
 * @param {Palette} palette what it is to show
 */
const showPalette = ({workspace, fail}, {category, scroll = 0}) => {
    if (!seams().openCategory(workspace, category)) {
        fail('unknown_category', `the palette has no category ${JSON.stringify(category)}`);
    }
    const flyout = workspace.getFlyout();
    seams().scrollPalette(flyout, paletteScroll(flyout) + scroll);
};

/**
 * @param {Ctx} ctx
 * @param {View} view what the canvas is to show
 * @returns {View} what it shows
 */
const showView = ({workspace}, {scale, x, y, drawn = false}) => {
    workspace.setScale(scale);
    if (!drawn) {
        // The canvas scrolls no further than its blocks and one view around them.
        workspace.scroll(x, y);
        return {scale: workspace.scale, x: workspace.scrollX, y: workspace.scrollY, drawn};
    }
    // The published runner does it so, and its points are true in the state that this leaves: the editor believes in
    // a scroll of another sign and unit than what is drawn.
    const [left, top] = [-x / scale, -y / scale];
    workspace.scrollbar.set(left, top);
    for (const layer of [workspace.getCanvas(), workspace.getBubbleCanvas()]) {
        layer.setAttribute('transform', `translate(${x},${y}) scale(${scale})`);
    }
    Object.assign(workspace, {scrollX: left, scrollY: top});
    return {scale, x, y, drawn};
};

/** @type {import('../../types/page').PageFn<{again: boolean, palette: Palette | null, view: View}, View | null>} */
module.exports = async (ctx, {again, palette, view}) => {
    const {vm, workspace} = ctx;
    if (!again) keepBlocks(vm, 'scene');
    else if (!restoreBlocks(vm, 'scene')) return null;
    const scrolled = paletteScroll(workspace.getFlyout());
    await redraw(ctx);
    if (palette) showPalette(ctx, palette);
    else seams().scrollPalette(workspace.getFlyout(), scrolled);
    await flush();
    const reached = showView(ctx, view);
    await flush();
    workspace.clearUndo();
    return reached;
};
