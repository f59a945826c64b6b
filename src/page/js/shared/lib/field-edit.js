// @ts-check
// Setting one field of one block: find it, check the value, store it.

const {choose, sortOptions} = require('./choices');
const {defaultBlock} = require('./default-block');
const {listed, nearest} = require('./nearest');
const {placeholders} = require('./proccode');
const {asText, checkTyped, isTyped, untypable} = require('./typed-value');
const {BROADCAST, KIND_NAMES, caller, create, find, formsOf} = require('./variables');
const {VALUE, namedFields, procedures, slots} = require('./workspace-view');
const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** @type {Record<string, string>} the argument reporters, with how to say their kind */
const ARGUMENTS = {argument_reporter_string_number: 's', argument_reporter_boolean: 'b'};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} block the block
 * @param {string} name a field's or a slot's name
 * @param {(block: any) => number | null} indexOf index of a block, for hints
 * @returns {any} the field meant
 */
const fieldOf = (ctx, block, name, indexOf) => {
    const own = namedFields(block);
    const direct = own.find(field => field.name === name);
    if (direct) return direct;
    const all = slots(block);
    const slot = all.find(entry => entry.name === name) || all.find(entry => entry.input.name === name);
    if (!slot) {
        const names = [...own.map(field => field.name), ...all.map(entry => entry.name)];
        const near = nearest(name, names);
        ctx.fail('unknown_field', `${block.type} has no field or slot ${JSON.stringify(name)}; it has: ${listed(names)}`,
            near ? `did you mean ${near}?` : undefined);
        return null;
    }
    if (slot.input.connection.type !== VALUE) {
        ctx.fail('not_a_field', `${name} of ${block.type} holds blocks, not a value`, 'use connect_blocks with statement_into');
    }
    const inside = slot.input.connection.targetBlock();
    if (inside && !inside.isShadow()) {
        ctx.fail('slot_holds_reporter', `${name} of ${block.type} holds the block #${indexOf(inside)} ${inside.type}`,
            `detach or delete #${indexOf(inside)} to type a value here, or set a field of that block`);
    }
    const shadow = defaultBlock(ctx, slot.input);
    if (!shadow) {
        ctx.fail('not_a_field', `${name} of ${block.type} takes a block, nothing can be typed into it`,
            'use connect_blocks with value_into');
    }
    return namedFields(shadow)[0];
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} field a variable, list or message field
 * @param {string} text the name wanted
 * @returns {string} the id to store
 */
const variableValue = (ctx, field, text) => {
    const type = seams().variableType(field);
    if (typeof field.getOptions === 'function') {
        const {commands} = sortOptions(field.getOptions(false));
        if (commands.includes(text) && !find(ctx, type, text)) {
            ctx.fail('menu_command', `${JSON.stringify(text)} is a command of the menu, not a value`,
                type === BROADCAST ? 'give the name of the message: a new one is made' : 'use add_variable or add_list');
        }
    }
    const known = find(ctx, type, text);
    if (known) return known.getId();
    const kind = KIND_NAMES[type];
    if (type === BROADCAST) {
        if (!text.trim()) ctx.fail('invalid_value', 'a message needs a name');
        return create(ctx, text, BROADCAST, false).getId();
    }
    const names = formsOf(ctx, type);
    const near = nearest(text, names);
    ctx.fail(`unknown_${kind}`, `there is no ${kind} ${JSON.stringify(text)} in scope; there are: ${listed(names)}`,
        near ? `did you mean ${JSON.stringify(near)}?` : `create it first with add_${kind}`);
    return '';
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} field a dropdown
 * @param {string} text the label or value wanted
 * @returns {string} the value to store
 */
const dropdownValue = (ctx, field, text) => {
    const {choices, commands} = sortOptions(field.getOptions(false));
    const chosen = choose(choices, text);
    if (chosen) return chosen.value;
    const labels = choices.map(choice => choice.label);
    if (commands.includes(text)) {
        ctx.fail('menu_command', `${JSON.stringify(text)} is a command of the menu, not a value`, `choose one of ${listed(labels)}`);
    }
    const near = nearest(text, labels);
    ctx.fail('invalid_choice', `${field.name} can't be ${JSON.stringify(text)}; choices: ${listed(labels)}`,
        near ? `did you mean ${JSON.stringify(near)}?` : undefined);
    return '';
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type which of the two argument reporters
 * @param {string} text the argument's name wanted
 * @returns {string} the name, if a definition has it
 */
const argumentValue = (ctx, type, text) => {
    const kind = ARGUMENTS[type];
    const names = procedures(ctx.workspace).flatMap(({proccode, argumentNames}) => {
        const kinds = placeholders(proccode);
        return argumentNames.filter((_, at) => kinds[at] === kind);
    });
    if (!names.includes(text)) {
        ctx.fail('unknown_argument', `no definition here has ${kind === 'b' ? 'a boolean' : 'a'} parameter ${JSON.stringify(text)}; ` +
            `there are: ${listed(names)}`, 'add_block procedures_definition makes a block with parameters');
    }
    return text;
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} field the field to set
 * @param {unknown} value as it came in JSON
 * @returns {{before: string, after: string}} what agents see of the value: names, not ids
 */
const setField = (ctx, field, value) => {
    const text = asText(value);
    if (text === null) {
        ctx.fail('invalid_value', `the value can't be ${JSON.stringify(value) || String(value)}`, 'give a text, a number or a boolean');
        return {before: '', after: ''};
    }
    const flaw = untypable(text);
    if (flaw) ctx.fail('invalid_value', `the value ${flaw}`);
    const block = seams().fieldBlock(field);
    const shown = () => (typeof field.getVariable === 'function' && field.getVariable() ?
        caller(ctx)(field.getVariable()) : String(field.getValue()));
    const before = shown();
    let stored;
    if (typeof field.getVariable === 'function') stored = variableValue(ctx, field, text);
    else if (ARGUMENTS[block.type]) stored = argumentValue(ctx, block.type, text);
    else if (typeof field.getOptions === 'function' && !isTyped(block.type)) stored = dropdownValue(ctx, field, text);
    else {
        const checked = checkTyped(block.type, text);
        if (!checked.ok) {
            ctx.fail('invalid_value', `${JSON.stringify(text)} can't be typed here: expected ${checked.expected}`);
            return {before: '', after: ''};
        }
        stored = checked.value;
    }
    seams().setValue(field, stored);
    if (String(field.getValue()) !== stored) {
        ctx.fail('invalid_value', `the editor refused ${JSON.stringify(text)} for ${field.name}: it shows ${JSON.stringify(shown())}`);
    }
    return {before, after: shown()};
};

module.exports = {argumentValue, fieldOf, setField};
