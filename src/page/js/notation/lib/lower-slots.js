// @ts-check
// What is written into the slots and menus of a block, as the state that Blockly's serializer loads.
const {strangerAmong, strangerIn} = require('./menu-names');
const {nearest} = require('../../shared/lib/nearest');
const {attribute, menuTakes, menuValue} = require('./notation-words');

/**
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Slot} Slot
 * @typedef {import('../../types/notation').State} State
 * @typedef {import('../../types/notation').World} World
 * @typedef {import('../../types/notation').Literal} Literal
 */

/**
 * Shadows that hold a plain value, with the field that holds it.
 * @type {Record<string, string>}
 */
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

/** The only colours with which Scratch loads a project (scratch-parser, `sb3_definitions.json`, `color_primitive`). */
const COLOUR = /^#[a-f0-9]{6}$/i;
/** The colour below a reporter in a colour's slot. */
const COVERED_COLOUR = '#000000';

/**
 * Shadow of a slot that the palette never shows, by the form of what is written into it.
 * @type {Record<string, string>}
 */
const SHADOW_OF_FORM = {number: 'math_number', string: 'text', color: 'colour_picker'};

/**
 * @param {Node} child what is written
 * @returns {boolean} whether it is a menu, square or round
 */
const isMenu = child => Boolean(child.isInput && child.hasArrow);

/**
 * @param {Slot} part a slot of a label
 * @param {Node} child what is written there
 * @returns {boolean} whether the one can stand for the other
 */
const fits = (part, child) => {
    if (part.statement) return Boolean(child.isScript);
    if (part.field) return isMenu(child) && (part.kind !== 'menu' || Boolean(part.open) || menuTakes(part.options, child.value));
    const holdsMenu = part.shadow === undefined || !VALUE_FIELDS[part.shadow];
    return !child.isScript && (!isMenu(child) || holdsMenu);
};

/**
 * @param {World} world names in scope and the catalogue
 * @param {() => string} nextId ids in the order of the text
 * @param {() => number} here the line that is being read
 */
const slotsOf = ({catalogue, scope, things, book: {fail, warn}}, nextId, here) => {
    /** @type {Literal[]} */
    const literals = [];

    /** @param {boolean} list @param {string} name @returns {string} its id */
    const declared = (list, name) => {
        const kind = list ? 'list' : 'variable';
        const known = (list ? scope.lists : scope.variables)[name];
        if (known) return known;
        const near = nearest(name, Object.keys(list ? scope.lists : scope.variables));
        const declare = `declare it on the stage or in the sprite: ${kind} ${JSON.stringify(name)}${list ? '' : ' = 0'}`;
        return fail(`unknown_${kind}`, `there is no ${kind} named "${name}"`, near === null ? declare : `did you mean "${near}"? Otherwise ${declare}`);
    };

    /** @param {string} type the block with the menu @param {Slot} part the menu @param {string} shown what is written @param {string} value what it stands for */
    const watch = (type, part, shown, value) => {
        const stranger = strangerIn(type, value, things) ?? strangerAmong(part, shown, value);
        if (stranger) warn(here(), 'names_nothing', stranger.message, stranger.hint);
    };

    /** @param {string} type the block that names it @param {string} name @returns {string} the id of a message */
    const message = (type, name) => {
        scope.used(name, type === 'event_whenbroadcastreceived', here());
        return scope.broadcast(name);
    };

    /** @param {{id: string, type: string}} block @param {Slot} part @param {Node} child @returns {unknown} the field's state */
    const field = ({id, type}, part, child) => {
        if (part.kind === 'variable' || part.kind === 'list') return {id: declared(part.kind === 'list', child.value)};
        if (part.kind === 'broadcast') return {id: message(type, child.value)};
        const value = part.kind === 'menu' ? menuValue(part.options, child.value) : child.value;
        if (part.kind === 'menu') watch(type, part, child.value, value);
        literals.push({block: id, field: String(part.field), value});
        return value;
    };

    /** @param {string} type @param {Slot} part @param {Node | null} child @returns {State} a shadow with a plain value */
    const plainShadow = (type, part, child) => {
        if (child && isMenu(child)) fail('bad_slot', `the slot ${part.input} has no menu, but "${child.value}" is written as one`, 'write (10) or [text]');
        const id = nextId();
        const value = child ? child.value : (part.value ?? (type === 'colour_picker' ? COVERED_COLOUR : ''));
        if (type === 'colour_picker' && !COLOUR.test(value)) fail('bad_colour', `"${value}" is no colour`, 'write it as [#00a651]: # and six digits or letters from a to f');
        literals.push({block: id, field: VALUE_FIELDS[type], value});
        return {type, id, fields: {[VALUE_FIELDS[type]]: value}};
    };

    /** @param {string} type @param {Slot} part @param {Node | null} child @returns {State} a shadow with a menu */
    const menuShadow = (type, part, child) => {
        const menu = catalogue.blocks[type]?.parts.find(inner => typeof inner !== 'string' && inner.field);
        if (!menu || typeof menu === 'string' || !menu.field) return fail('bad_slot', `the slot ${part.input} holds a ${type}, which has no notation`);
        const id = nextId();
        if (child) return {type, id, fields: {[menu.field]: field({id, type}, menu, child)}};
        if (menu.kind === 'broadcast') return {type, id, fields: {[menu.field]: {id: scope.anyBroadcast()}}};
        return {type, id, ...(part.value !== undefined && {fields: {[menu.field]: part.value}})};
    };

    /** @param {Slot} part @param {Node | null} child @returns {State} what a slot holds: what is written, or what the palette puts there */
    const shadow = (part, child) => {
        const type = part.shadow ?? (child ? SHADOW_OF_FORM[child.shape] : undefined);
        if (!type) return fail('bad_slot', `the slot ${part.input} can't hold "${child?.value}"`, 'a menu does not belong here');
        return VALUE_FIELDS[type] ? plainShadow(type, part, child) : menuShadow(type, part, child);
    };

    /**
     * @param {Slot} part the slot
     * @param {Node} child what is written
     * @param {(block: Node, part: Slot) => State} reporter lowers a reporter in a slot
     * @returns {{block?: State, shadow?: State} | undefined} undefined for an empty slot without a default
     */
    const fill = (part, child, reporter) => {
        if (child.isScript) return fail('bad_slot', `the slot ${part.input} can't hold a stack`);
        if (child.isBlock && part.shadow === 'event_broadcast_menu') scope.sendsComputed();
        if (child.isBlock) return {block: reporter(child, part), ...(part.shadow && {shadow: shadow(part, null)})};
        if (child.isInput && child.isBoolean) {
            if (part.boolean || !part.shadow) return undefined;
            return fail('bad_slot', `the slot ${part.input} is for a value`, 'write () or []');
        }
        if (part.boolean) return fail('bad_slot', `the slot ${part.input} is for a predicate, but "${child.value}" is written`, 'write <> for an empty one');
        return {shadow: shadow(part, child)};
    };

    /** @param {string} name @param {boolean} list @returns {State} the reporter of a variable or list */
    const variable = (name, list) => {
        const id = attribute(declared(list, name));
        // The field of these two blocks is the editor's own kind, which loads only its XML form.
        const [type, slot, kind] = list ? ['data_listcontents', 'LIST', 'list'] : ['data_variable', 'VARIABLE', ''];
        return {type, id: nextId(), fields: {[slot]: `<field name="${slot}" id="${id}" variabletype="${kind}"></field>`}};
    };

    /** @param {string} name @param {boolean} boolean @returns {State} the reporter of a parameter */
    const argument = (name, boolean) => {
        const id = nextId();
        literals.push({block: id, field: 'VALUE', value: name});
        return {type: boolean ? 'argument_reporter_boolean' : 'argument_reporter_string_number', id, fields: {VALUE: name}};
    };

    return {argument, field, fill, literals, variable};
};

module.exports = {fits, slotsOf};
