// @ts-check
// What a browser's own keys would change about a page: its size, its zoom, its address, its document.

/** @type {import('../../../src/page/js/types/page').PageFn<null, any>} */
module.exports = () => {
    const marked = /** @type {any} */ (window);
    marked.sameDocument = marked.sameDocument || Math.random();
    return {
        document: marked.sameDocument,
        address: location.href,
        size: [innerWidth, innerHeight, devicePixelRatio, visualViewport?.scale],
        fullScreen: document.fullscreenElement !== null,
        hidden: document.hidden
    };
};
