// @ts-check
// Words of parsed scratchblocks notation: what a block is called, and how its menus name their choices.

/** Prefix of a name that would otherwise be read as a fixed entry of its menu. */
const NAME_PREFIX = 'name:';

/** Children without the arrow that the parser draws on loops. */
const partsOf = block => block.children.filter(child => !(child.isIcon && child.name === 'loopArrow'));

/** The words of a label-only reporter, joined by single spaces; null if it has slots. */
const nameOf = block => {
    const parts = partsOf(block);
    return parts.every(part => part.isLabel) ? parts.map(part => part.value).join(' ') : null;
};

/** What the block's first line hashes to: words as they are, slots as `_`. */
const hashOf = (block, notation) => {
    const known = block.info.id && notation.allLanguages.en.commands[block.info.id];
    if (known) return notation.hashSpec(known);
    const parts = partsOf(block);
    const mouth = parts.findIndex(part => part.isScript);
    const line = mouth < 0 ? parts : parts.slice(0, mouth);
    return notation.minifyHash(line.map(part => (part.isLabel ? part.value : part.isIcon ? `@${part.name}` : '_')).join(' '));
};

/** The value behind what a menu shows. Names of the project's own things stand for themselves. */
const menuValue = (options, shown) => {
    if (shown.startsWith(NAME_PREFIX)) return shown.slice(NAME_PREFIX.length);
    const fixed = options?.find(([label]) => label === shown);
    return fixed ? fixed[1] : shown;
};

/** Whether a menu has this entry among the fixed ones. */
const menuHas = (options, shown) => Boolean(options?.some(([label]) => label === shown));

/** A value as an XML attribute holds it; Blockly keeps the shape of My Blocks in such attributes. */
const attribute = value => String(value).replace(/[&<>"\n\t\r]/g, c => `&#${c.charCodeAt(0)};`);

module.exports = {NAME_PREFIX, attribute, hashOf, menuHas, menuValue, nameOf, partsOf};
