// @ts-check
// The document as markup.

/** @type {import('../../types/page').PageFn<{}, string>} */
module.exports = () => document.documentElement.outerHTML;
