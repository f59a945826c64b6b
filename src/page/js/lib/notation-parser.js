// @ts-check
// The maintained parser of the notation: the npm package scratchblocks, served by our own server beside the editor.

/** Where the package's modules are served. */
const MODULES = '/scratchblocks/syntax';

/**
 * @returns {Promise<import('../types/notation').Notation>} what we use of it
 */
const loadParser = async () => {
    const [syntax, blocks] = await Promise.all([import(`${MODULES}/index.js`), import(`${MODULES}/blocks.js`)]);
    return {parse: syntax.parse, allLanguages: blocks.allLanguages, hashSpec: blocks.hashSpec, minifyHash: blocks.minifyHash};
};

module.exports = {loadParser};
