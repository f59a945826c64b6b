// @ts-check
// Turns one script, as the scratchblocks parser reads it, into the state that Blockly's own serializer loads.
// Pure: it knows the catalogue of blocks, the names in scope and nothing of the page.
//
// It decides what each word means and which slot holds what; whether blocks fit together is for the editor to say.
const {isChoice, strangerOf} = require('./menu-names');
const {labelOf, nearestLabel, wrongChoice} = require('./near-labels');
const {nearest} = require('../../shared/lib/nearest');
const {hashOf, isMouthWord, nameOf, partsOf} = require('./notation-words');
const {callOf, definitionOf, undefinedCall} = require('./lower-procedure');
const {fits, slotsOf} = require('./lower-slots');

/**
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Placed} Placed
 * @typedef {import('../../types/notation').Slot} Slot
 * @typedef {import('../../types/notation').State} State
 * @typedef {import('../../types/notation').Entry} Entry
 * @typedef {import('../../types/notation').World} World
 */

/** @param {Entry} entry @returns {Slot[]} the slots of a label, without its words */
const slotsIn = entry => entry.parts.filter(part => typeof part !== 'string');

/** @param {Node} block @returns {Node[]} what is written into its slots */
const fillings = block => partsOf(block).filter(part => !part.isLabel && !part.isIcon);

/** @param {Node} block @returns {string} its first line, for messages */
const lineOf = block => block.stringify().split('\n')[0].replace(/ \/\/ .*$/, '');

/** @param {Node} block @returns {string[]} shapes of blocks that can stand where it stands */
const shapesFor = block => (block.isReporter || block.isBoolean ? ['reporter', 'boolean'] : ['stack', 'cap', 'hat']);

/**
 * Finds the blocks with the words of a parsed one, and among them those whose slots can hold what is written.
 * @param {World} world the catalogue and the parser
 * @param {Node} block a parsed block
 * @returns {{same: [string, Entry][], fitting: [string, Entry][]}} opcodes with their entries, likeliest first
 */
const candidates = ({catalogue, notation}, block) => {
    const hash = hashOf(block, notation);
    const given = fillings(block);
    const shapes = shapesFor(block);
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
    const {catalogue, notation, scope, book: {attempt, fail, warn}} = world;
    let count = 0;
    /** The line that is being read. */
    let here = 0;
    /** @type {Record<string, number>} the line of each block */
    const lines = {};
    /** @type {Record<string, Node>} what each block is written as */
    const written = {};
    const nextId = () => {
        const id = `${prefix}.${count++}`;
        lines[id] = here;
        return id;
    };
    const slots = slotsOf(world, nextId, () => here);
    /** @type {Set<Node>} mouths that were read */
    const read = new Set();
    /** @type {(string | undefined)[]} */
    let parameters = [];
    /** @type {{block: string, text: string}[]} */
    const comments = [];
    /** @type {import('../../types/notation').Mutation[]} */
    const mutations = [];

    /** @param {State} state @param {Slot[]} parts @param {Node[]} given @returns {State} the state, filled in */
    const fill = (state, parts, given) => {
        parts.forEach((part, i) => {
            if (part.field) (state.fields ??= {})[part.field] = slots.field(state, part, given[i]);
            const name = part.input ?? part.statement;
            if (!name) return;
            const content = part.input ? slots.fill(part, given[i], reporter) : mouth(given[i]);
            if (content) (state.inputs ??= {})[name] = content;
        });
        return state;
    };

    /** @param {Node} script @returns {{block: State} | undefined} what a mouth holds */
    const mouth = script => {
        read.add(script);
        const first = stack(script.blocks);
        return first && {block: first};
    };

    /** @param {Node} block @param {[string, Entry]} found @returns {State} a block of the catalogue */
    const builtIn = (block, [type, entry]) => {
        const [property, object] = fillings(block);
        if (type === 'sensing_of' && object.isInput) {
            const whom = object.value === 'Stage' ? '_stage_' : object.value.replace(/^name:/, '');
            const stranger = strangerOf(property.value, whom, world.things);
            if (stranger) warn(here, 'names_nothing', stranger.message, stranger.hint);
        }
        return fill({type, id: nextId()}, slotsIn(entry), fillings(block));
    };

    /**
     * A name in round or pointed brackets: parameter, built-in block, variable or list, in this order.
     * @param {Node} block the reporter
     * @param {string} name its words
     * @param {Slot} [slot] where it is written
     * @returns {State} what it means
     */
    const named = (block, name, slot) => {
        // The parser takes a name for a list's where a block of the script names a list so.
        const isGuess = block.info.categoryIsDefault || block.info.selector === 'contentsOfList:';
        const explicit = isGuess ? null : block.info.category;
        if (explicit === 'variables' || explicit === 'list') return slots.variable(name, explicit === 'list');
        if (explicit === 'custom-arg' || (explicit === null && parameters.includes(name))) return slots.argument(name, Boolean(block.isBoolean));
        const [found] = candidates(world, block).fitting;
        if (found && !found[1].yields) return builtIn(block, found);
        if (explicit === null && scope.variables[name]) return slots.variable(name, false);
        if (explicit === null && scope.lists[name]) return slots.variable(name, true);
        if (found) return builtIn(block, found);
        if (name.startsWith('opcode ')) return byOpcode(block);
        const menu = slot?.shadow === undefined ? [] : (catalogue.blocks[slot.shadow]?.parts ?? []);
        if (isChoice(slot?.shadow, name, menu.find(part => typeof part !== 'string'), world.things)) {
            return fail('unknown_reporter', `"${name}" is no reporter, variable, list or parameter`, `did you mean (${name} v)?`);
        }
        const near = nearest(name, [...Object.keys(scope.variables), ...Object.keys(scope.lists), ...parameters.filter(each => each !== undefined)]);
        const label = near ?? nearestLabel(name, catalogue.blocks, shapesFor(block), {});
        const declare = `declare it: variable ${JSON.stringify(name)} = 0`;
        return fail('unknown_reporter', `"${name}" is no reporter, variable, list or parameter`, label === null ? declare : `did you mean "${label}"? Otherwise ${declare}`);
    };

    /**
     * `opcode TYPE [NAME] (value) …`: the form for blocks without a label of their own.
     * @param {Node} block the parsed line
     * @returns {State} the block
     */
    const byOpcode = block => {
        const [, type, ...rest] = partsOf(block);
        const entry = type?.isLabel && Object.hasOwn(catalogue.blocks, type.value) ? catalogue.blocks[type.value] : undefined;
        if (!entry) {
            const near = type?.isLabel ? nearest(type.value, Object.keys(catalogue.blocks)) : null;
            const known = `blocks of the editor can be built, and those of its extensions ${catalogue.extensions.join(', ')}`;
            return fail('unknown_opcode', `"${lineOf(block)}" names no block that can be built`, near === null ? known : `did you mean ${near}? ${known}`);
        }
        if (rest.length % 2) return fail('bad_slot', `"${lineOf(block)}" has an input without a value`, 'write [NAME] and then what it holds');
        const names = rest.filter((_, i) => i % 2 === 0);
        const parts = names.map(name => {
            const part = slotsIn(entry).find(each => (each.field ?? each.input ?? each.statement) === name.value);
            const all = slotsIn(entry).map(each => each.field ?? each.input ?? each.statement).join(', ');
            return part ?? fail('unknown_input', `${type.value} has no input "${name.value}"`, all ? `it has: ${all}` : 'it has none');
        });
        return fill({type: type.value, id: nextId()}, parts, rest.filter((_, i) => i % 2 === 1));
    };

    /** @param {Node} block @param {Slot} [slot] where it is written @returns {State} a reporter or predicate */
    const reporter = (block, slot) => {
        const name = nameOf(block);
        const state = name === null ? command(block) : named(block, name, slot);
        written[state.id] = block;
        return state;
    };

    /** @param {Node} block @returns {State} a block with slots, or a stack block */
    const command = block => {
        const [first] = partsOf(block);
        if (block.info.category === 'custom' && !block.info.categoryIsDefault) return call(block);
        if (first?.isLabel && first.value === 'opcode') return byOpcode(block);
        const {same, fitting: [found]} = candidates(world, block);
        if (found && !found[1].yields) return builtIn(block, found);
        if (world.procedures[hashOf(block, notation)] && block.isCommand) return call(block);
        if (found) return builtIn(block, found);
        return same.length ? misfit(block, same[0][1]) : stranger(block);
    };

    /** @param {Node} block with the words of a block @param {Entry} entry that block @returns {never} what does not fit */
    const misfit = (block, entry) => {
        const choice = wrongChoice(slotsIn(entry), fillings(block), fits);
        if (choice) return fail('bad_choice', `${choice.message} in "${lineOf(block)}"`, choice.hint);
        return fail('bad_slot', `"${lineOf(block)}" has the words of a block, but its slots don't fit`, `the label is: ${labelOf(entry)}`);
    };

    /** @param {Node} block that is none @returns {never} what may be meant */
    const stranger = block => {
        const near = nearestLabel(hashOf(block, notation), catalogue.blocks, shapesFor(block), world.procedures);
        const hint = near === null ? 'a call of a block that is defined nowhere ends with :: custom' : `did you mean: ${near}`;
        return fail('unknown_block', `"${lineOf(block)}" is no block of the editor or of this sprite`, hint);
    };

    /** @param {Node} block @returns {State} a call of a block of My Blocks */
    const call = block => {
        const procedure = world.procedures[hashOf(block, notation)] ?? undefinedCall(block, `${prefix}.${count}`);
        /** @type {Slot[]} */
        const parts = procedure.parameters.map(({id, boolean}) => (boolean ? {input: id, boolean} : {input: id, shadow: 'text', value: ''}));
        const {mutation, ...state} = callOf(procedure, nextId());
        mutations.push({block: state.id, ...mutation});
        return fill(state, parts, fillings(block));
    };

    /** @param {Node} block @returns {State} the hat of a definition */
    const define = block => {
        const definition = definitionOf(block, prefix, notation);
        if (world.procedures[definition.hash].prefix !== prefix) fail('duplicate_definition', `"${lineOf(block)}" is defined twice in this sprite`);
        parameters = definition.parameters.map(each => each.name);
        const id = nextId();
        const {mutation, ...prototype} = definition.prototype(nextId(), refresh);
        mutations.push({block: prototype.id, ...mutation});
        /** @type {State} */
        const inner = prototype;
        for (const each of definition.parameters) {
            (inner.inputs ??= {})[each.id] = {block: slots.argument(each.name ?? '', each.boolean)};
        }
        return {type: 'procedures_definition', id, inputs: {custom_block: {block: inner}}};
    };

    /** @param {Node} block @returns {State} one line */
    const line = block => {
        if (!block.isBlock) fail('bad_line', 'a remark stands alone', 'put it at the end of a block\'s line');
        const state = block.info.shape === 'define-hat' ? define(block) : block.isReporter || block.isBoolean ? reporter(block) : command(block);
        written[state.id] = block;
        if (block.comment) comments.push({block: state.id, text: block.comment.label.value.trim()});
        return state;
    };

    /** @param {Node} block @returns {State | null} one line; null if it has a fault, which is noted, and those in its mouths too */
    const tried = block => {
        const around = here;
        here = block.line ?? here;
        const state = attempt(here, () => line(block));
        if (!state) for (const child of (block.children ?? []).filter(each => each.isScript && !read.has(each))) mouth(child);
        here = around;
        return state;
    };

    /** @param {Node[]} blocks @returns {State | undefined} the first of them, with the others below */
    const stack = blocks => {
        // An `end` or `else` that belongs to nothing was noted with the lines.
        const known = blocks.filter(block => !isMouthWord(block));
        const states = known.map(tried).filter(state => state !== null);
        states.forEach((state, i) => {
            if (states[i + 1]) state.next = {block: states[i + 1]};
        });
        return states[0];
    };

    /** @param {Placed} placed a block that the editor refuses @returns {{message: string, hint: string} | null} why, where that is known */
    const advice = ({id, parent}) => {
        const [block, holder] = [written[id], written[parent ?? '']];
        if (!holder || !(block?.isReporter || block?.isBoolean)) return null;
        // A value may be written in the brackets of a condition.
        const value = lineOf(block).replace(/^<(.*)>$/, '($1)');
        return {message: `"${lineOf(holder)}" takes a condition <…>, and ${value} is a value`, hint: `compare it: <${value} = [1]>`};
    };

    return {advice, stack, comments, lines, literals: slots.literals, mutations};
};

module.exports = {lowerScript};
