// @ts-check
// The workspace takes its size when it is mounted and when the window's size changes. A font that arrives later moves the
// boxes around it (the header of the backpack grows by 5 px), and the workspace would keep the size that it had.

/**
 * @param {Window & typeof globalThis} window the page's
 * @param {any} workspace Blockly's main workspace
 * @returns {boolean} whether all fonts are there and the workspace fills its place; if it does not, it is told to
 */
const fitsItsPlace = (window, workspace) => {
    if (window.document.fonts.status !== 'loaded') return false;
    const drawing = workspace.getParentSvg();
    const place = drawing.parentNode;
    const fits =
        parseFloat(drawing.getAttribute('width')) === place.offsetWidth &&
        parseFloat(drawing.getAttribute('height')) === place.offsetHeight;
    if (!fits) window.dispatchEvent(new Event('resize'));
    return fits;
};

module.exports = {fitsItsPlace};
