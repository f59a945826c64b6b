// @ts-check
// Reads from the running editor how each block is worded and what its slots hold. Printing and building of
// scripts both go by this table, so that no label is typed in by hand.
//
// The result holds only what is the same in every project: names of sprites, costumes and variables are left out.

/** Pictures inside of labels, by file name, and the name the notation has for them. */
const ICONS = [
    {file: 'green-flag', word: '@greenFlag'},
    {file: 'rotate-right', word: '@turnRight'},
    {file: 'rotate-left', word: '@turnLeft'}
];

/** Extensions whose blocks are described besides the core. */
const EXTENSIONS = ['pen', 'music'];

/** Value input, statement input: Blockly's numbers for them. */
const VALUE = 1;
const STATEMENT = 3;

const icon = field => {
    const source = String(field.getValue?.() ?? '');
    return ICONS.find(known => source.includes(known.file))?.word;
};

/** A field that a person can change, as a part of the label; null for words and pictures. */
const editable = field => {
    if (typeof field.getVariable === 'function') {
        const type = field.defaultType ?? field.variableTypes?.[0] ?? '';
        return {field: field.name, kind: {'': 'variable', list: 'list', broadcast_msg: 'broadcast'}[type] ?? 'variable'};
    }
    if (typeof field.getOptions === 'function') {
        const options = field.getOptions(false).filter(([label]) => typeof label === 'string');
        const dynamic = field.isOptionListDynamic();
        // A menu made from the project's names is known only by its fixed entries, whose value is not their name.
        const fixed = dynamic ? options.filter(([label, value]) => label !== value) : options;
        return {field: field.name, kind: 'menu', ...(dynamic && {open: true}), ...(fixed.length > 0 && {options: fixed})};
    }
    return field.name && field.SERIALIZABLE ? {field: field.name, kind: 'value'} : null;
};

const parts = block => {
    const list = [];
    for (const input of block.inputList) {
        for (const field of input.fieldRow) {
            const slot = editable(field);
            const word = slot ?? icon(field) ?? (field.SRC || field.imageElement !== undefined ? '' : field.getText().trim());
            if (word) list.push(word);
        }
        if (input.type === VALUE) {
            const check = input.connection.getCheck();
            list.push({input: input.name, ...(check?.includes('Boolean') && check.length === 1 && {boolean: true})});
        }
        if (input.type === STATEMENT) list.push({statement: input.name});
    }
    return list;
};

const shape = block => {
    if (block.outputConnection) return block.getOutputShape() === 1 ? 'boolean' : 'reporter';
    if (!block.previousConnection) return 'hat';
    return block.nextConnection ? 'stack' : 'cap';
};

/** Blocks that the palette offers, as XML elements with their default shadows. */
const offered = ({SB, state, workspace}) => {
    const toolbox = SB.utils.xml.textToDom(state.store.getState().scratchGui.toolbox.toolboxXML);
    const data = workspace.getToolboxCategoryCallback('VARIABLE')(workspace);
    return [...toolbox.querySelectorAll('block'), ...data.filter(item => item.tagName?.toLowerCase() === 'block')];
};

/** The shadow that the palette puts into a slot, and the value it starts with. */
const defaultOf = value => {
    const shadow = [...value.children].find(child => child.tagName.toLowerCase() === 'shadow');
    if (value.tagName.toLowerCase() !== 'value' || !shadow) return null;
    const field = [...shadow.children].find(child => child.tagName.toLowerCase() === 'field');
    return {shadow: shadow.getAttribute('type'), ...(field && {value: field.textContent})};
};

const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

/** Visits the palettes of a sprite and of the stage: `see(element)` for each block offered. */
const visitPalettes = async (ctx, see) => {
    const {vm, workspace} = ctx;
    const editing = vm.editingTarget.id;
    const sprite = vm.runtime.targets.find(target => !target.isStage);
    for (const target of [sprite, vm.runtime.getTargetForStage()]) {
        if (!target) ctx.fail('no_sprite', 'the catalogue needs a project with a sprite');
        vm.setEditingTarget(target.id);
        await settled();
        workspace.getVariableMap().createVariable('catalogue variable', '');
        workspace.getVariableMap().createVariable('catalogue list', 'list');
        await settled();
        offered(ctx).forEach(see);
    }
    vm.setEditingTarget(editing);
    await settled();
};

/** Types that are parts of the editor's own machinery and have a notation of their own. */
const INTERNAL = /^(argument_|procedures_|data_variable$|data_listcontents$|data_listindex)/;

/** Describes one type, from a block made in the real workspace and thrown away again; null if it can't stand alone. */
const describe = (SB, workspace, type, notation) => {
    let block;
    try {
        block = workspace.newBlock(type);
    } catch {
        return null;
    }
    try {
        return notation(type, shape(block), parts(block));
    } finally {
        block.dispose(false);
    }
};

/** Words of a label up to its first mouth, as the notation's parser hashes them. */
const spec = list => {
    const mouth = list.findIndex(part => part.statement);
    return (mouth < 0 ? list : list.slice(0, mouth)).map(part => (typeof part === 'string' ? part : '%1')).join(' ');
};

/** Puts the words of an alias in the place of words with pictures: `turn right` reads better than an arrow. */
const reworded = (list, alias) => {
    const slots = list.filter(part => typeof part !== 'string');
    return alias.split(/(%[0-9])/).map(word => (word.startsWith('%') ? slots.shift() : word.trim())).filter(Boolean);
};

/** Adds to a description what the notation's parser makes of it. */
const notationOf = ({allLanguages, hashSpec}, listed) => (type, shapeName, list) => {
    const english = allLanguages.en;
    const hash = hashSpec(spec(list));
    const known = (english.blocksByHash[hash] ?? []).map(block => block.shape);
    const mouths = list.some(part => part.statement);
    const pictured = list.some(part => typeof part === 'string' && part.startsWith('@'));
    const id = english.blocksByHash[hash]?.[0]?.id;
    const aliases = pictured ? Object.keys(english.aliases).filter(alias => english.aliases[alias] === id) : [];
    const alias = aliases.sort((a, b) => b.length - a.length)[0];
    return {
        shape: shapeName,
        hash,
        palette: listed.has(type),
        // A mouth or a hat that the parser does not know must be marked in the text.
        ...(mouths && !known.some(name => name.includes('block')) && {braces: true}),
        ...(shapeName === 'hat' && !known.includes('hat') && {hint: 'hat'}),
        parts: alias ? reworded(list, alias) : list
    };
};

/** @type {any} */
module.exports = async ctx => {
    const {SB, vm, workspace} = ctx;
    for (const id of EXTENSIONS) {
        if (!vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
    }
    await settled();
    const parser = await import('/scratchblocks/syntax/blocks.js');
    const listed = new Set();
    const slots = {};
    await visitPalettes(ctx, element => {
        const type = element.getAttribute('type');
        listed.add(type);
        for (const value of element.children) {
            const start = defaultOf(value);
            if (start) (slots[type] ??= {})[value.getAttribute('name')] = start;
        }
    });
    const blocks = {};
    const notation = notationOf(parser, listed);
    SB.Events.disable();
    try {
        // Palette order first: where two blocks read alike, the one that is offered is meant.
        const hidden = Object.keys(SB.Blocks).filter(type => !listed.has(type)).sort();
        for (const type of [...listed, ...hidden].filter(name => !INTERNAL.test(name))) {
            const entry = describe(SB, workspace, type, notation);
            if (!entry) continue;
            for (const part of entry.parts) {
                const start = slots[type]?.[part.input];
                if (start) Object.assign(part, start);
            }
            // A hidden block that reads like an offered one can only be written by its opcode.
            if (!entry.palette && Object.values(blocks).some(block => block.hash === entry.hash && block.palette)) entry.shadowed = true;
            blocks[type] = entry;
        }
    } finally {
        SB.Events.enable();
    }
    // What a menu of the project's own names starts with is a name of the project that is loaded now.
    for (const part of Object.values(blocks).flatMap(block => block.parts)) {
        if (blocks[part.shadow]?.parts.some(inner => inner.open)) delete part.value;
    }
    const reserved = [...new Set([...Object.keys(parser.allLanguages.en.blocksByHash), ...Object.values(blocks).map(block => block.hash)])];
    return {extensions: EXTENSIONS, blocks, reserved: reserved.filter(hash => hash && !/^[_ ]*$/.test(hash)).sort()};
};
