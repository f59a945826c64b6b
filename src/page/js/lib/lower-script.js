// @ts-check
// Turns one script, as the scratchblocks parser reads it, into the state that Blockly's own serializer loads.
// Pure: it knows the catalogue of blocks, the names in scope and nothing of the page.
//
// It decides what each word means and which slot holds what; whether blocks fit together is for the editor to say.
const {hashOf, nameOf, partsOf} = require('../lib/notation-words');
const {callOf, definitionOf, undefinedCall} = require('../lib/lower-procedure');
const {fits, slotsOf} = require('../lib/lower-slots');

/**
 * @typedef {import('../types/notation').Node} Node
 * @typedef {import('../types/notation').Slot} Slot
 * @typedef {import('../types/notation').State} State
 * @typedef {import('../types/notation').Entry} Entry
 * @typedef {import('../types/notation').World} World
 */

/** @param {Entry} entry @returns {Slot[]} the slots of a label, without its words */
const slotsIn = entry => entry.parts.filter(part => typeof part !== 'string');

/** @param {Node} block @returns {Node[]} what is written into its slots */
const fillings = block => partsOf(block).filter(part => !part.isLabel && !part.isIcon);

/** @param {Node} block @returns {string} its first line, for messages */
const lineOf = block => block.stringify().split('\n')[0];

/** @param {Slot} slot @returns {string} how it may be written */
const slotForm = slot => {
    if (slot.field) return `[${slot.field} v]`;
    if (slot.statement) return '…';
    return slot.boolean ? '<>' : `(${slot.input})`;
};

/** @param {Entry} entry @returns {string} a block's label with its slots, for messages */
const labelOf = entry => entry.parts.map(part => (typeof part === 'string' ? part : slotForm(part))).join(' ');

/**
 * Finds the blocks with the words of a parsed one, and among them those whose slots can hold what is written.
 * @param {World} world the catalogue and the parser
 * @param {Node} block a parsed block
 * @returns {{same: [string, Entry][], fitting: [string, Entry][]}} opcodes with their entries, likeliest first
 */
const candidates = ({catalogue, notation}, block) => {
    const hash = hashOf(block, notation);
    const given = fillings(block);
    const shapes = block.isReporter || block.isBoolean ? ['reporter', 'boolean'] : ['stack', 'cap', 'hat'];
    const same = Object.entries(catalogue.blocks).filter(([, entry]) => entry.hash === hash && !entry.shadowed && shapes.includes(entry.shape));
    const fitting = same.filter(([, entry]) => {
        const slots = slotsIn(entry);
        return slots.length === given.length && slots.every((part, i) => fits(part, given[i]));
    });
    // A menu of fixed entries says more than one that takes any name.
    const open = (/** @type {Entry} */ entry) => Number(slotsIn(entry).some(part => part.open));
    fitting.sort(([, a], [, b]) => open(a) - open(b));
    return {same, fitting};
};

/**
 * @param {World} world the catalogue, the parser and the names in scope
 * @param {{prefix: string, refresh: boolean}} script where its ids begin, and how a definition runs
 */
const lowerScript = (world, {prefix, refresh}) => {
    const {catalogue, notation, scope, fail} = world;
    let count = 0;
    const nextId = () => `${prefix}.${count++}`;
    const slots = slotsOf(world, nextId);
    /** @type {(string | undefined)[]} */
    let parameters = [];
    /** @type {{block: string, text: string}[]} */
    const comments = [];

    /** @param {State} state @param {Slot[]} parts @param {Node[]} given @returns {State} the state, filled in */
    const fill = (state, parts, given) => {
        parts.forEach((part, i) => {
            if (part.field) (state.fields ??= {})[part.field] = slots.field(state.id, part, given[i]);
            const name = part.input ?? part.statement;
            if (!name) return;
            const content = part.input ? slots.fill(part, given[i], reporter) : mouth(given[i]);
            if (content) (state.inputs ??= {})[name] = content;
        });
        return state;
    };

    /** @param {Node} script @returns {{block: State} | undefined} what a mouth holds */
    const mouth = script => (script.blocks.length ? {block: stack(script.blocks)} : undefined);

    /** @param {Node} block @param {[string, Entry]} found @returns {State} a block of the catalogue */
    const builtIn = (block, [type, entry]) => fill({type, id: nextId()}, slotsIn(entry), fillings(block));

    /**
     * A name in round or pointed brackets: parameter, built-in block, variable or list, in this order.
     * @param {Node} block the reporter
     * @param {string} name its words
     * @returns {State} what it means
     */
    const named = (block, name) => {
        const explicit = block.info.categoryIsDefault ? null : block.info.category;
        if (explicit === 'variables' || explicit === 'list') return slots.variable(name, explicit === 'list');
        if (explicit === 'custom-arg' || parameters.includes(name)) return slots.argument(name, Boolean(block.isBoolean));
        const {fitting} = candidates(world, block);
        if (fitting.length) return builtIn(block, fitting[0]);
        if (scope.variables[name]) return slots.variable(name, false);
        if (scope.lists[name]) return slots.variable(name, true);
        return fail('unknown_reporter', `"${name}" is no reporter, variable, list or parameter`, `declare it: variable "${name}" = 0`);
    };

    /**
     * `opcode TYPE [NAME] (value) …`: the form for blocks without a label of their own.
     * @param {Node} block the parsed line
     * @returns {State} the block
     */
    const byOpcode = block => {
        const [, type, ...rest] = partsOf(block);
        const entry = type?.isLabel ? catalogue.blocks[type.value] : undefined;
        if (!entry || rest.length % 2) return fail('unknown_opcode', `"${lineOf(block)}" names no block of the editor`);
        const names = rest.filter((_, i) => i % 2 === 0);
        const parts = names.map(name => {
            const part = slotsIn(entry).find(each => (each.field ?? each.input ?? each.statement) === name.value);
            return part ?? fail('unknown_input', `${type.value} has no input "${name.value}"`);
        });
        return fill({type: type.value, id: nextId()}, parts, rest.filter((_, i) => i % 2 === 1));
    };

    /** @param {Node} block @returns {State} a reporter or predicate */
    const reporter = block => {
        const name = nameOf(block);
        return name === null ? command(block) : named(block, name);
    };

    /** @param {Node} block @returns {State} a block with slots, or a stack block */
    const command = block => {
        const [first] = partsOf(block);
        if (first?.isLabel && first.value === 'opcode') return byOpcode(block);
        if (block.info.category === 'custom' && !block.info.categoryIsDefault) return call(block);
        const {same, fitting} = candidates(world, block);
        if (fitting.length) return builtIn(block, fitting[0]);
        if (world.procedures[hashOf(block, notation)] && block.isCommand) return call(block);
        if (same.length) return fail('bad_slot', `"${lineOf(block)}" has the words of a block, but its slots don't fit`, `the label is: ${labelOf(same[0][1])}`);
        return fail('unknown_block', `"${lineOf(block)}" is no block of the editor or of this sprite`, 'a call of a block that is defined nowhere ends with :: custom');
    };

    /** @param {Node} block @returns {State} a call of a block of My Blocks */
    const call = block => {
        const procedure = world.procedures[hashOf(block, notation)] ?? undefinedCall(block, `${prefix}.${count}`);
        /** @type {Slot[]} */
        const parts = procedure.parameters.map(({id, boolean}) => (boolean ? {input: id, boolean} : {input: id, shadow: 'text', value: ''}));
        return fill(callOf(procedure, nextId()), parts, fillings(block));
    };

    /** @param {Node} block @returns {State} the hat of a definition */
    const define = block => {
        const definition = definitionOf(block, prefix, notation);
        if (world.procedures[definition.hash].prefix !== prefix) fail('duplicate_definition', `"${lineOf(block)}" is defined twice in this sprite`);
        parameters = definition.parameters.map(each => each.name);
        const id = nextId();
        /** @type {State} */
        const inner = {type: 'procedures_prototype', id: nextId(), extraState: definition.prototype(refresh)};
        for (const each of definition.parameters) {
            (inner.inputs ??= {})[each.id] = {block: slots.argument(each.name ?? '', each.boolean)};
        }
        return {type: 'procedures_definition', id, inputs: {custom_block: {block: inner}}};
    };

    /** @param {Node} block @returns {State} one line */
    const line = block => {
        if (!block.isBlock) fail('bad_line', 'a remark stands alone', 'put it at the end of a block\'s line');
        const state = block.info.shape === 'define-hat' ? define(block) : block.isReporter || block.isBoolean ? reporter(block) : command(block);
        if (block.comment) comments.push({block: state.id, text: block.comment.label.value.trim()});
        return state;
    };

    /** @param {Node[]} blocks @returns {State} the first of them, with the others below */
    const stack = blocks => {
        const states = blocks.map(line);
        states.forEach((state, i) => {
            if (states[i + 1]) state.next = {block: states[i + 1]};
        });
        return states[0];
    };

    return {stack, comments, literals: slots.literals};
};

module.exports = {lowerScript};
