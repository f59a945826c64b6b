// @ts-check
// Words of parsed scratchblocks notation: what a block is called, and how its menus name their choices.

/**
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Notation} Notation
 */

/** Labels that blocks had in other versions of the editor, by their hash. */
const OLD_LABELS = /** @type {Record<string, string>} */ ({'incr counter': 'increment counter'});

/** Prefix of a name that would otherwise be read as a fixed entry of its menu. */
const NAME_PREFIX = 'name:';

/**
 * @param {Node} block a parsed block
 * @returns {Node[]} its children without the arrow that the parser draws on loops
 */
const partsOf = block => block.children.filter(child => !(child.isIcon && child.name === 'loopArrow'));

/**
 * @param {Node} block a parsed reporter
 * @returns {string | null} its words joined by single spaces; null if it has slots
 */
const nameOf = block => {
    const parts = partsOf(block);
    return parts.every(part => part.isLabel) ? parts.map(part => part.value).join(' ') : null;
};

/**
 * @param {Node} block a parsed line
 * @returns {boolean} whether it is the `end` or `else` of a mouth, and no block of one's own that is called so
 */
const isMouthWord = block => Boolean(block.isBlock) && block.info.categoryIsDefault !== false && ['end', 'else'].includes(nameOf(block) ?? '');

/**
 * @param {Node} part a child of a block
 * @returns {string} what stands for it in the label's hash
 */
const hashWord = part => {
    if (part.isLabel) return part.value;
    return part.isIcon ? `@${part.name}` : '_';
};

/**
 * @param {Node} block a parsed block
 * @param {Notation} notation the parser
 * @returns {string} what its first line hashes to: words as they are, slots as `_`
 */
const hashOf = (block, notation) => {
    const known = block.info.id && notation.allLanguages.en.commands[block.info.id];
    if (known) return notation.hashSpec(known);
    const parts = partsOf(block);
    const mouth = parts.findIndex(part => part.isScript);
    const hash = notation.minifyHash((mouth < 0 ? parts : parts.slice(0, mouth)).map(hashWord).join(' '));
    return Object.hasOwn(OLD_LABELS, hash) ? OLD_LABELS[hash] : hash;
};

/**
 * @param {[string, string][] | undefined} options the fixed entries of a menu: label and value
 * @param {string} shown what is written
 * @returns {string} the value behind it; names of the project's own things stand for themselves
 */
const menuValue = (options, shown) => {
    if (shown.startsWith(NAME_PREFIX)) return shown.slice(NAME_PREFIX.length);
    const fixed = options?.find(([label]) => label === shown);
    return fixed ? fixed[1] : shown;
};

/**
 * @param {[string, string][] | undefined} options the fixed entries of a menu: label and value
 * @param {string} shown what is written
 * @returns {boolean} whether it is one of them, or a value marked as such
 */
const menuTakes = (options, shown) => shown.startsWith(NAME_PREFIX) || Boolean(options?.some(([label]) => label === shown));

/**
 * @param {import('../../types/notation').Slot} slot of a label
 * @param {Node} child what is written there
 * @returns {boolean} whether both are menus, the slot one without names of the project
 */
const isMenuField = (slot, child) => slot.kind === 'menu' && !slot.open && Boolean(child.isInput && child.hasArrow);

/**
 * Blockly keeps the shape of My Blocks, and some fields, as XML.
 * @param {string} value any text
 * @returns {string} the text as an XML attribute holds it
 */
const attribute = value => value.replace(/[&<>"\n\t\r]/g, c => `&#${c.charCodeAt(0)};`);

module.exports = {attribute, hashOf, isMenuField, isMouthWord, menuTakes, menuValue, nameOf, partsOf};
