// @ts-check
// Loads the page anew a moment later, as a key of the browser would.

/** @type {import('../../../src/page/js/types/page').PageFn<null, null>} */
module.exports = () => {
    setTimeout(() => location.reload(), 0);
    return null;
};
