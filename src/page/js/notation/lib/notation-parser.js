// @ts-check
// The maintained parser of the notation: the npm package scratchblocks, served by our own server beside the editor.

/** Where the package's modules are served. */
const MODULES = '/scratchblocks/syntax';

/**
 * @returns {Promise<import('../../types/notation').Notation>} what we use of it
 */
const loadParser = async () => {
    const [syntax, blocks] = await Promise.all([import(`${MODULES}/index.js`), import(`${MODULES}/blocks.js`)]);
    return {parse: syntax.parse, allLanguages: blocks.allLanguages, hashSpec: blocks.hashSpec, minifyHash: blocks.minifyHash};
};

/**
 * Teaches the parser the mouths of blocks that the editor has and the forums do not, so that they end with `end` too.
 * @param {import('../../types/notation').Notation} notation the parser
 * @param {import('../../types/notation').Catalogue} catalogue of blocks
 */
const teachMouths = ({allLanguages: {en}}, {blocks}) => {
    for (const {hash, braces} of Object.values(blocks)) {
        if (braces) en.blocksByHash[hash] ??= [{id: '', shape: 'c-block', category: 'control', taught: true}];
    }
};

module.exports = {loadParser, teachMouths};
