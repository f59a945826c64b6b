// @ts-check
// Tells how often it ran in this page, with a helper that only a page of the drag benchmark has.
const {fingerprint} = require('../../../src/page/js/drag/lib/fingerprint.js');

/** @type {import('../../../src/page/js/types/page').PageFn<null, number>} */
module.exports = () => {
    const marked = /** @type {any} */ (window);
    marked.ran = (marked.ran || 0) + 1;
    return typeof fingerprint === 'function' ? marked.ran : 0;
};
