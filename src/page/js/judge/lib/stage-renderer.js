// @ts-check
// The renderers that judged programs share, and pictures of what they show.

const {makeRenderer} = require('./second-vm.js');

/** Stage sizes in CSS pixels. */
const SIZES = {large: [480, 360], small: [240, 180]};

/** By size: browsers let a page have only a few. @type {Record<string, any>} */
const renderers = {};

/**
 * @param {Document} page where its canvas goes
 * @param {any} editorVm
 * @param {'large' | 'small'} size
 */
const rendererOf = (page, editorVm, size) => {
    const [width, height] = SIZES[size];
    if (!renderers[size]) {
        // Pointing is measured on a canvas that is laid out, so it is in the document, out of sight.
        const canvas = page.createElement('canvas');
        canvas.style.cssText = `position:fixed;left:-2000px;top:0;width:${width}px;height:${height}px`;
        page.body.append(canvas);
        renderers[size] = makeRenderer(editorVm, canvas);
    }
    // A new renderer makes its canvas as large as the large stage, whatever it was before. The editor's stage then sets
    // the size, and so does each judgement: scripts read it, and could change it.
    renderers[size].resize(width, height);
    return renderers[size];
};

/**
 * Draws what a program shows; the program goes on as if nobody had looked.
 * @param {any} renderer in use by a second VM, which may have put its own `draw` on it
 * @returns {string} a PNG in base64
 */
const pictureOf = renderer => {
    const own = Object.getOwnPropertyDescriptor(renderer, 'draw');
    delete renderer.draw;
    renderer.draw();
    if (own) Object.defineProperty(renderer, 'draw', own);
    // The canvas keeps what was drawn only until the page's turn ends.
    return renderer.canvas.toDataURL('image/png').replace(/^[^,]*,/, '');
};

module.exports = {pictureOf, rendererOf};
