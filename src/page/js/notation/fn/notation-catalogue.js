// @ts-check
// Reads from the running editor how each block is worded and what its slots hold. Printing and building of
// scripts both go by this table, so that no label is typed in by hand.
//
// The result holds only what is the same in every project: names of sprites, costumes and variables are left out.
const {loadParser} = require('../lib/notation-parser');

/**
 * @typedef {import('../../types/page').Ctx} Ctx
 * @typedef {import('../../types/notation').Entry} Entry
 * @typedef {import('../../types/notation').Notation} Notation
 * @typedef {import('../../types/notation').Slot} Slot
 */

/** Pictures inside of labels, by file name, and the name the notation has for them. */
const ICONS = [
    {file: 'green-flag', word: '@greenFlag'},
    {file: 'rotate-right', word: '@turnRight'},
    {file: 'rotate-left', word: '@turnLeft'}
];

/** Extensions whose blocks are described besides the core; the last of them need a camera, a device or the network to run. */
const EXTENSIONS = ['pen', 'music', 'text2speech', 'translate', 'videoSensing', 'makeymakey', 'microbit', 'ev3', 'boost', 'wedo2', 'gdxfor'];

/** Extensions whose labels no project may take for itself. Other labels came later, and programs had such names by then. */
const FIRST = ['pen', 'music'];

/** A menu that starts with another entry each time that the extension is loaded. */
const RANDOM_START = 'translate_menu_languages';

/** A block that no palette offers, named like many a variable. */
const HIDDEN_NAME = 'control_get_counter';

/** Blockly's numbers for the kinds of inputs. */
const VALUE = 1;
const STATEMENT = 3;

/** Blockly's number for the shape of predicates. */
const HEXAGON = 1;

/** Types that are parts of the editor's own machinery and have a notation of their own. */
const INTERNAL = /^(argument_|procedures_|data_variable$|data_listcontents$|data_listindex)/;

/** @type {Record<string, Slot['kind']>} */
const VARIABLE_KINDS = {'': 'variable', list: 'list', broadcast_msg: 'broadcast'};

/** @param {any} field of a block @returns {Slot} a menu; one made from the project's names is known only by its fixed entries, whose value is not their name */
const menuSlot = field => {
    /** @type {[string, string][]} */
    const entries = field.getOptions(false).filter((/** @type {unknown[]} */ [label]) => typeof label === 'string');
    const open = field.isOptionListDynamic();
    const options = open ? entries.filter(([label, value]) => label !== value) : entries;
    return {field: field.name, kind: 'menu', ...(open && {open}), ...(options.length > 0 && {options})};
};

/** @param {any} field of a block @returns {Slot | null} a field that a person can change; null for words and pictures */
const editable = field => {
    if (typeof field.getVariable === 'function') {
        return {field: field.name, kind: VARIABLE_KINDS[field.defaultType ?? ''] ?? 'variable'};
    }
    if (typeof field.getOptions === 'function') return menuSlot(field);
    return field.name && field.SERIALIZABLE ? {field: field.name, kind: 'value'} : null;
};

/** @param {any} field of a block, not editable @returns {string} its words; a picture without a name has none */
const words = field => {
    const source = String(field.getValue?.() ?? '');
    const known = ICONS.find(({file}) => source.includes(file));
    if (known) return known.word;
    return field.imageElement === undefined ? field.getText().trim() : '';
};

/** @param {any} block in a workspace @returns {(string | Slot)[]} its label */
const partsOf = block => {
    /** @type {(string | Slot)[]} */
    const list = [];
    for (const input of block.inputList) {
        list.push(...input.fieldRow.map((/** @type {any} */ field) => editable(field) ?? words(field)).filter(Boolean));
        if (input.type === STATEMENT) list.push({statement: input.name});
        if (input.type !== VALUE) continue;
        const check = input.connection.getCheck();
        list.push({input: input.name, ...(check?.length === 1 && check[0] === 'Boolean' && {boolean: true})});
    }
    return list;
};

/** @param {any} block in a workspace @returns {string} the shape's name */
const shapeOf = block => {
    if (block.outputConnection) return block.getOutputShape() === HEXAGON ? 'boolean' : 'reporter';
    if (!block.previousConnection) return 'hat';
    return block.nextConnection ? 'stack' : 'cap';
};

/** @param {Ctx} ctx @returns {Element[]} blocks that the palette offers, with their default shadows */
const offered = ({SB, state, workspace}) => {
    const toolbox = SB.utils.xml.textToDom(state.store.getState().scratchGui.toolbox.toolboxXML);
    const data = workspace.getToolboxCategoryCallback('VARIABLE')(workspace);
    return [...toolbox.querySelectorAll('block'), ...data.filter((/** @type {Element} */ item) => item.tagName?.toLowerCase() === 'block')];
};

/** @param {Element} parent @param {string} tag @returns {Element | undefined} its first child of that kind */
const childOf = (parent, tag) => [...parent.children].find(child => child.tagName.toLowerCase() === tag);

/** @param {Element} element a block of the palette @returns {[string, Slot][]} its slots: the shadow in it, and the value that it starts with */
const startsOf = element =>
    [...element.children].flatMap(value => {
        const shadow = value.tagName.toLowerCase() === 'value' ? childOf(value, 'shadow') : undefined;
        if (!shadow) return [];
        const field = childOf(shadow, 'field');
        const start = {shadow: String(shadow.getAttribute('type')), ...(field && {value: String(field.textContent)})};
        return [/** @type {[string, Slot]} */ ([String(value.getAttribute('name')), start])];
    });

/** @returns {Promise<void>} once the palette has followed the editor */
const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

/**
 * Visits the palettes of a sprite and of the stage.
 * @param {Ctx} ctx the editor
 * @returns {Promise<Map<string, Record<string, Slot>>>} the blocks offered, in order, with their slots
 */
const readPalettes = async ctx => {
    const {vm, workspace} = ctx;
    /** @type {Map<string, Record<string, Slot>>} */
    const listed = new Map();
    const editing = vm.editingTarget.id;
    const sprite = vm.runtime.targets.find((/** @type {any} */ target) => !target.isStage);
    if (!sprite) ctx.fail('no_sprite', 'the catalogue needs a project with a sprite');
    for (const target of [sprite, vm.runtime.getTargetForStage()]) {
        vm.setEditingTarget(target.id);
        await settled();
        workspace.getVariableMap().createVariable('catalogue variable', '');
        workspace.getVariableMap().createVariable('catalogue list', 'list');
        await settled();
        for (const element of offered(ctx)) {
            const type = String(element.getAttribute('type'));
            listed.set(type, {...listed.get(type), ...Object.fromEntries(startsOf(element))});
        }
    }
    vm.setEditingTarget(editing);
    await settled();
    return listed;
};

/** @param {(string | Slot)[]} parts @returns {string} the label up to its first mouth, as the parser writes it */
const specOf = parts => {
    const mouth = parts.findIndex(part => typeof part !== 'string' && part.statement);
    return (mouth < 0 ? parts : parts.slice(0, mouth)).map(part => (typeof part === 'string' ? part : '%1')).join(' ');
};

/**
 * Puts the words of an alias in the place of words with pictures: `turn right` reads better than an arrow.
 * @param {(string | Slot)[]} parts the label
 * @param {string} alias with `%1` for its slots
 * @returns {(string | Slot)[]} the label in other words
 */
const reworded = (parts, alias) => {
    const slots = parts.filter(part => typeof part !== 'string');
    return alias.split(/(%[0-9])/).flatMap(piece => {
        /** @type {(string | Slot)[]} */
        const found = piece.startsWith('%') ? slots.splice(0, 1) : [piece.trim()];
        return found.filter(Boolean);
    });
};

/**
 * Describes a block, with what the notation's parser makes of its label.
 * @param {any} block in a workspace
 * @param {boolean} palette whether the palette offers it
 * @param {Notation} notation the parser
 * @returns {Entry} its entry
 */
const describe = (block, palette, {allLanguages: {en}, hashSpec}) => {
    const parts = partsOf(block);
    const hash = hashSpec(specOf(parts));
    const known = (en.blocksByHash[hash] ?? []).filter(each => !each.taught);
    const pictured = parts.some(part => typeof part === 'string' && part.startsWith('@'));
    const aliases = pictured ? Object.keys(en.aliases).filter(alias => en.aliases[alias] === known[0]?.id) : [];
    const alias = aliases.sort((a, b) => b.length - a.length)[0];
    const mouths = parts.some(part => typeof part !== 'string' && part.statement);
    const shape = shapeOf(block);
    return {
        shape,
        hash,
        palette,
        // A mouth or a hat that the parser does not know must be marked in the text.
        ...(mouths && !known.some(each => each.shape.includes('block')) && {braces: true}),
        ...(shape === 'hat' && !known.some(each => each.shape === 'hat') && {hint: 'hat'}),
        parts: alias ? reworded(parts, alias) : parts
    };
};

/** @param {any} workspace @param {string} type @returns {any} a block made in the real workspace; null if it can't stand alone */
const make = (workspace, type) => {
    try {
        return workspace.newBlock(type);
    } catch {
        return null;
    }
};

/**
 * @param {Ctx} ctx the editor
 * @param {Map<string, Record<string, Slot>>} listed the blocks of the palette
 * @param {Notation} notation the parser
 * @returns {Record<string, Entry>} all blocks, in the order of the palette first: where two read alike, the one that is offered is meant
 */
const describeAll = ({SB, workspace}, listed, notation) => {
    /** @type {Record<string, Entry>} */
    const blocks = {};
    const hidden = Object.keys(SB.Blocks).filter(type => !listed.has(type)).sort();
    SB.Events.disable();
    try {
        for (const type of [...listed.keys(), ...hidden].filter(name => !INTERNAL.test(name))) {
            const block = make(workspace, type);
            if (!block) continue;
            const entry = describe(block, listed.has(type), notation);
            block.dispose(false);
            for (const part of entry.parts) if (typeof part !== 'string' && part.input) Object.assign(part, listed.get(type)?.[part.input]);
            const yields = type === HIDDEN_NAME || EXTENSIONS.some(id => type.startsWith(`${id}_`) && !FIRST.includes(id));
            if (yields) entry.yields = true;
            // The parser takes a sign such as that of `when distance < (50)` for a bracket.
            if (yields && entry.parts.some(part => typeof part === 'string' && part.includes('<'))) entry.shadowed = true;
            // A block that reads like an offered one can only be written by its opcode, if it is hidden or not among the first.
            const isLater = !entry.palette || yields;
            if (isLater && Object.values(blocks).some(other => other.hash === entry.hash && other.palette && entry.hash !== '_')) entry.shadowed = true;
            blocks[type] = entry;
        }
    } finally {
        SB.Events.enable();
    }
    return blocks;
};

/** @type {import('../../types/page').PageFn<null, import('../../types/notation').Catalogue>} */
module.exports = async ctx => {
    for (const id of EXTENSIONS) {
        if (!ctx.vm.extensionManager.isExtensionLoaded(id)) await ctx.vm.extensionManager.loadExtensionURL(id);
    }
    await settled();
    const notation = await loadParser();
    const blocks = describeAll(ctx, await readPalettes(ctx), notation);
    // What a menu of the project's own names starts with is a name of the project that is loaded now.
    for (const part of Object.values(blocks).flatMap(block => block.parts)) {
        if (typeof part === 'string' || !part.shadow) continue;
        if (part.shadow === RANDOM_START) delete part.value;
        if (blocks[part.shadow]?.parts.some(inner => typeof inner !== 'string' && inner.open)) delete part.value;
    }
    const hashes = [...Object.keys(notation.allLanguages.en.blocksByHash), ...Object.values(blocks).map(block => block.hash)];
    const reserved = [...new Set(hashes)].filter(hash => !/^[_ ]*$/.test(hash)).sort();
    return {extensions: EXTENSIONS, blocks, reserved};
};
