// @ts-check
/** What moves in a page, and whether anything lies over the middle of the editor. */
module.exports = () => {
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    return {
        moving: document.getAnimations().map(animation => String(/** @type {any} */ (animation).animationName)),
        is_covered: Boolean(middle?.closest('[class*="loader_background"]'))
    };
};
