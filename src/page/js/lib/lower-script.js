// @ts-check
// Turns one script, as the scratchblocks parser reads it, into the state that Blockly's own serializer loads.
// Pure: it knows the catalogue of blocks, the names in scope and nothing of the page.
//
// It decides what each word means and which slot holds what; whether blocks fit together is for the editor to say.
const {NAME_PREFIX, attribute, hashOf, menuHas, menuValue, nameOf, partsOf} = require('../lib/notation-words.js');
const {callOf, definitionOf, undefinedCall} = require('../lib/lower-procedure.js');

/** Shadows that hold a plain value, with the field that holds it. */
const VALUE_FIELDS = {
    math_number: 'NUM',
    math_integer: 'NUM',
    math_whole_number: 'NUM',
    math_positive_number: 'NUM',
    math_angle: 'NUM',
    text: 'TEXT',
    colour_picker: 'COLOUR',
    note: 'NOTE',
    matrix: 'MATRIX'
};

/** Shadow of a slot that the palette never shows, by the form of what is written into it. */
const SHADOW_OF_FORM = {number: 'math_number', string: 'text', color: 'colour_picker'};

const isMenu = child => child.isInput && child.hasArrow;

/**
 * @param {any} world `{catalogue, notation, scope, procedures, fail}`; `scope` is `{variables, lists, broadcast(name)}`
 * @param {{prefix: string, refresh: boolean}} script where ids begin, and how a definition runs
 */
const lowerScript = (world, {prefix, refresh}) => {
    const {catalogue, notation, scope, fail} = world;
    let count = 0;
    let parameters = null;
    const comments = [];
    const literals = [];
    const nextId = () => `${prefix}.${count++}`;
    const textOf = block => block.stringify().split('\n')[0];

    const field = (id, part, child) => {
        if (part.kind === 'variable' || part.kind === 'list') {
            const known = (part.kind === 'list' ? scope.lists : scope.variables)[child.value];
            return known ? {id: known} : fail(`unknown_${part.kind}`, `there is no ${part.kind} named "${child.value}"`, `declare it on the stage or in the sprite: ${part.kind} "${child.value}"`);
        }
        if (part.kind === 'broadcast') return {id: scope.broadcast(child.value)};
        const value = part.kind === 'menu' ? menuValue(part.options, child.value) : child.value;
        literals.push({block: id, field: part.field, value});
        return value;
    };

    /** The shadow of a slot, holding what is written or what the palette would put there. */
    const shadow = (part, child) => {
        const type = part.shadow ?? (child && SHADOW_OF_FORM[child.shape]);
        if (!type) return fail('bad_slot', `the slot ${part.input} can't hold "${child.value}"`, 'a menu does not belong here');
        const id = nextId();
        const menu = catalogue.blocks[type]?.parts.find(inner => inner.field);
        const plain = VALUE_FIELDS[type];
        if (child && plain && isMenu(child)) return fail('bad_slot', `the slot ${part.input} has no menu, but "${child.value}" is written as one`, 'write (10) or [text]');
        if (plain) {
            const value = child ? child.value : (part.value ?? '');
            literals.push({block: id, field: plain, value});
            return {type, id, fields: {[plain]: value}};
        }
        if (!menu) return fail('bad_slot', `the slot ${part.input} holds a ${type}, which has no notation`);
        if (child) return {type, id, fields: {[menu.field]: field(id, menu, child)}};
        if (menu.kind === 'broadcast') return {type, id, fields: {[menu.field]: {id: scope.anyBroadcast()}}};
        return {type, id, ...(part.value !== undefined && {fields: {[menu.field]: part.value}})};
    };

    /** What one slot is filled with, as Blockly's `{block, shadow}`; undefined for an empty predicate slot. */
    const slot = (part, child) => {
        if (child.isScript) return fail('bad_slot', `the slot ${part.input} can't hold a stack`);
        if (child.isBlock) return {block: reporter(child), ...(part.shadow && {shadow: shadow(part, null)})};
        if (child.isInput && child.isBoolean) {
            return part.boolean || !part.shadow ? undefined : fail('bad_slot', `the slot ${part.input} is for a value`, 'write () or []');
        }
        if (part.boolean) return fail('bad_slot', `the slot ${part.input} is for a predicate, but "${child.value}" is written`, 'write <> for an empty one');
        return {shadow: shadow(part, child)};
    };

    const statement = script => (script.blocks.length ? {block: stack(script.blocks)} : undefined);

    /** Whether what is written can stand in this part of a label. */
    const fits = (part, child) => {
        if (part.statement) return child.isScript;
        if (part.field) return isMenu(child) && (part.kind !== 'menu' || part.open || child.value.startsWith(NAME_PREFIX) || menuHas(part.options, child.value));
        const menu = part.shadow && !VALUE_FIELDS[part.shadow];
        return !child.isScript && (!isMenu(child) || menu || part.shadow === undefined);
    };

    const slotsOf = entry => entry.parts.filter(part => typeof part !== 'string');
    const fillings = block => partsOf(block).filter(part => !part.isLabel && !part.isIcon);

    const candidates = (block, hash) => {
        const given = fillings(block);
        const wanted = block.isReporter || block.isBoolean ? ['reporter', 'boolean'] : ['stack', 'cap', 'hat'];
        const same = Object.entries(catalogue.blocks).filter(([, entry]) => entry.hash === hash && !entry.shadowed && wanted.includes(entry.shape));
        const fitting = same.filter(([, entry]) => {
            const slots = slotsOf(entry);
            return slots.length === given.length && slots.every((part, i) => fits(part, given[i]));
        });
        // A menu of fixed entries says more than one that takes any name.
        const open = entry => slotsOf(entry).some(part => part.open);
        fitting.sort(([, a], [, b]) => Number(open(a)) - Number(open(b)));
        return {same, fitting};
    };

    const fill = (state, parts, given) => {
        parts.forEach((part, i) => {
            if (part.field) (state.fields ??= {})[part.field] = field(state.id, part, given[i]);
            const content = part.input ? slot(part, given[i]) : part.statement ? statement(given[i]) : undefined;
            if (content) (state.inputs ??= {})[part.input ?? part.statement] = content;
        });
        return state;
    };

    const argument = (name, boolean) => {
        const id = nextId();
        literals.push({block: id, field: 'VALUE', value: name});
        return {type: boolean ? 'argument_reporter_boolean' : 'argument_reporter_string_number', id, fields: {VALUE: name}};
    };

    const variable = (name, list) => {
        const known = (list ? scope.lists : scope.variables)[name];
        if (!known) return fail(list ? 'unknown_list' : 'unknown_variable', `there is no ${list ? 'list' : 'variable'} named "${name}"`);
        // The field of these two blocks is the editor's own kind, which loads only its XML form.
        const [type, slotName, kind] = list ? ['data_listcontents', 'LIST', 'list'] : ['data_variable', 'VARIABLE', ''];
        return {type, id: nextId(), fields: {[slotName]: `<field name="${slotName}" id="${attribute(known)}" variabletype="${kind}"></field>`}};
    };

    /** A name in round or pointed brackets: parameter, built-in block, variable or list, in this order. */
    const named = (block, name) => {
        const explicit = block.info.categoryIsDefault ? null : block.info.category;
        if (explicit === 'variables') return variable(name, false);
        if (explicit === 'list') return variable(name, true);
        if (explicit === 'custom-arg' || parameters?.includes(name)) return argument(name, block.isBoolean);
        const {fitting} = candidates(block, hashOf(block, notation));
        if (fitting.length) return builtIn(block, fitting[0]);
        if (scope.variables[name]) return variable(name, false);
        if (scope.lists[name]) return variable(name, true);
        return fail('unknown_reporter', `"${name}" is no reporter, variable, list or parameter`, `declare it: variable "${name}" = 0`);
    };

    const builtIn = (block, [type, entry]) => fill({type, id: nextId()}, slotsOf(entry), fillings(block));

    /** `opcode TYPE [NAME] (value) …`: the form for blocks without a label of their own. */
    const byOpcode = block => {
        const [, type, ...rest] = partsOf(block);
        const entry = type?.isLabel && catalogue.blocks[type.value];
        if (!entry || rest.length % 2) return fail('unknown_opcode', `"${textOf(block)}" names no block of the editor`);
        const parts = [];
        const given = [];
        for (let i = 0; i < rest.length; i += 2) {
            const part = slotsOf(entry).find(each => (each.field ?? each.input ?? each.statement) === rest[i].value);
            parts.push(part ?? fail('unknown_input', `${type.value} has no input "${rest[i].value}"`));
            given.push(rest[i + 1]);
        }
        return fill({type: type.value, id: nextId()}, parts, given);
    };

    const reporter = block => {
        const name = nameOf(block);
        if (name !== null) return named(block, name);
        return command(block);
    };

    const command = block => {
        const first = partsOf(block)[0];
        if (first?.isLabel && first.value === 'opcode') return byOpcode(block);
        const hash = hashOf(block, notation);
        if (block.info.category === 'custom' && !block.info.categoryIsDefault) return call(block, hash);
        const {same, fitting} = candidates(block, hash);
        if (fitting.length) return builtIn(block, fitting[0]);
        if (world.procedures[hash] && block.isCommand) return call(block, hash);
        if (same.length) return fail('bad_slot', `"${textOf(block)}" has the words of a block, but its slots don't fit`, `the label is: ${label(same[0][1])}`);
        return fail('unknown_block', `"${textOf(block)}" is no block of the editor or of this sprite`, 'a call of a block that is defined nowhere ends with :: custom');
    };

    const label = entry => entry.parts.map(part => (typeof part === 'string' ? part : part.field ? `[${part.field} v]` : part.boolean ? '<>' : part.statement ? '…' : `(${part.input})`)).join(' ');

    const call = (block, hash) => {
        const known = world.procedures[hash] ?? undefinedCall(block, prefix, count);
        return fill(callOf(known, nextId()), known.parameters.map(each => ({input: each.id, boolean: each.boolean, ...(!each.boolean && {shadow: 'text', value: ''})})), fillings(block));
    };

    const define = block => {
        const definition = world.procedures[definitionOf(block, prefix, notation).hash];
        if (definition.prefix !== prefix) return fail('duplicate_definition', `"${textOf(block)}" is defined twice in this sprite`);
        parameters = definition.parameters.map(each => each.name);
        const id = nextId();
        const inner = {type: 'procedures_prototype', id: nextId(), extraState: definition.prototype(refresh)};
        definition.parameters.forEach(each => {
            (inner.inputs ??= {})[each.id] = {block: argument(each.name, each.boolean)};
        });
        return {type: 'procedures_definition', id, inputs: {custom_block: {block: inner}}};
    };

    const lower = block => {
        const start = count;
        const state = block.info.shape === 'define-hat' ? define(block) : block.isReporter || block.isBoolean ? reporter(block) : command(block);
        if (block.comment) comments.push({block: state.id ?? `${prefix}.${start}`, text: block.comment.label.value.trim()});
        return state;
    };

    const stack = blocks => {
        const states = blocks.map(each => (each.isBlock ? lower(each) : fail('bad_line', 'a remark stands alone', 'put it at the end of a block\'s line')));
        states.forEach((state, i) => {
            if (states[i + 1]) state.next = {block: states[i + 1]};
        });
        return states[0];
    };

    return {stack, result: () => ({comments, literals})};
};

module.exports = {lowerScript};
