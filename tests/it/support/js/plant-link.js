// @ts-check
// Covers the page with a link that opens a tab, as those in the editor's help do.

/** @type {import('../../../src/page/js/types/page').PageFn<string, null>} */
module.exports = (_, rel) => {
    const link = document.createElement('a');
    link.href = '/editor';
    link.target = '_blank';
    link.rel = rel;
    link.style.cssText = 'position: fixed; inset: 0; z-index: 100000';
    document.body.append(link);
    return null;
};
