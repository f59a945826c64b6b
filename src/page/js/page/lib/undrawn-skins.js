// @ts-check
// Which costumes still have to get their pixels: the project has loaded before its SVG skins are drawn.

/**
 * Whether a skin will have pixels later on. One of no size never has any, and nor has one whose picture is broken: such an image
 * is complete, and has no width.
 * @param {any} skin of the VM's renderer
 */
const isUndrawn = ({_svgImageLoaded, _svgImage, size}) => {
    if (_svgImageLoaded !== false || !_svgImage.src || size[0] === 0 || size[1] === 0) return false;
    return !_svgImage.complete || _svgImage.naturalWidth > 0;
};

/** @param {any} renderer the VM's renderer @returns {boolean} whether there is a skin that will have pixels later on */
const hasUndrawnSkins = renderer => renderer._allSkins.some((/** @type {any} */ skin) => skin && isUndrawn(skin));

module.exports = {hasUndrawnSkins};
