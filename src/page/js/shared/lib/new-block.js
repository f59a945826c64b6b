// @ts-check
// Making a block of a given type: from the palette's template, bound to a variable or list, or one of the
// project's own blocks.

const {argumentValue} = require('./field-edit');
const {listed, nearest} = require('./nearest');
const {template, types} = require('./palette');
const {findProcedure, placeholders} = require('./proccode');
const {untypable} = require('./typed-value');
const {LIST, SCALAR, find, formsOf} = require('./variables');
const {procedures} = require('./workspace-view');
const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {import('../../types/composite').Creation} Creation */

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} tag of the element
 * @param {Record<string, string>} attributes of the element
 * @param {Element[]} [children] inside it
 * @returns {Element} a new element
 */
const element = ({SB}, tag, attributes, children = []) => {
    const made = seams().newElement(SB, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {Creation} creation the caller's wishes
 * @returns {Element} a definition with its prototype
 */
const definition = (ctx, creation) => {
    const proccode = (creation.procedureName || '').trim().replace(/\s+/g, ' ');
    const names = creation.argumentNames || [];
    const kinds = placeholders(proccode);
    if (!proccode) {
        ctx.fail('missing_argument', 'creation.procedureName is required for procedures_definition',
            'for example {"procedureName": "jump %s times if %b", "argumentNames": ["height", "awake"]}');
    }
    if (proccode.replace(/%[sb]/g, '').trim() === '') ctx.fail('invalid_name', 'a block of your own needs at least one word');
    const flaw = [proccode, ...names].map(untypable).find(found => found);
    if (flaw) ctx.fail('invalid_name', `a name ${flaw}`, 'give short names of one line');
    if (names.length !== kinds.length) {
        ctx.fail('argument_mismatch', `procedureName has ${kinds.length} placeholders, argumentNames has ${names.length} names`,
            'put %s (number or text) or %b (boolean), between spaces, where each argument goes');
    }
    if (names.some(name => !name.trim()) || new Set(names).size !== names.length) {
        ctx.fail('invalid_name', 'the names of arguments must be different and not empty');
    }
    if (procedures(ctx.workspace).some(procedure => procedure.proccode === proccode)) {
        ctx.fail('name_taken', `a block ${JSON.stringify(proccode)} is already defined here`, 'call it with procedures_call');
    }
    const mutation = element(ctx, 'mutation', {
        proccode,
        argumentids: JSON.stringify(kinds.map(() => seams().freshId(ctx.SB))),
        argumentnames: JSON.stringify(names),
        argumentdefaults: JSON.stringify(kinds.map(kind => (kind === 'b' ? 'false' : ''))),
        warp: String(creation.warp === true)
    });
    const prototype = element(ctx, seams().prototypeTag, {type: 'procedures_prototype'}, [mutation]);
    return element(ctx, 'block', {type: 'procedures_definition'},
        [element(ctx, 'statement', {name: 'custom_block'}, [prototype])]);
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {Creation} creation the caller's wishes
 * @returns {Element} a call with default blocks for its arguments
 */
const call = (ctx, creation) => {
    const known = procedures(ctx.workspace);
    const names = known.map(procedure => procedure.proccode);
    if (!creation.procedureName) {
        ctx.fail('missing_argument', `creation.procedureName is required for procedures_call; defined here: ${listed(names)}`);
    }
    const wanted = /** @type {string} */ (creation.procedureName);
    const found = findProcedure(known, wanted);
    if (!found) {
        ctx.fail('unknown_procedure', `no block ${JSON.stringify(wanted)} is defined for this sprite; defined: ${listed(names)}`,
            'a block of your own belongs to the sprite it was made on; procedures_definition makes one');
    }
    const prototype = /** @type {any} */ (found).definition.getInputTargetBlock('custom_block');
    return element(ctx, 'block', {type: 'procedures_call'}, [prototype.mutationToDom(true)]);
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type argument_reporter_string_number or argument_reporter_boolean
 * @param {Creation} creation the caller's wishes
 * @returns {Element} a reporter of that argument
 */
const argument = (ctx, type, creation) => {
    if (!creation.argumentName) ctx.fail('missing_argument', `creation.argumentName is required for ${type}`);
    const field = element(ctx, 'field', {name: 'VALUE'});
    field.textContent = argumentValue(ctx, type, /** @type {string} */ (creation.argumentName));
    return element(ctx, 'block', {type}, [field]);
};

/**
 * Binds a template's variable field.
 * @param {Ctx} ctx the page function's context
 * @param {Element} block a template with a VARIABLE or LIST field
 * @param {string | null | undefined} name as the caller gave it
 * @param {boolean} required whether the block can't be made without a name
 * @param {string} kind `variable` or `list`
 */
const bind = (ctx, block, name, required, kind) => {
    const type = kind === 'list' ? LIST : SCALAR;
    const names = formsOf(ctx, type);
    const key = `creation.${kind}Name`;
    if (required && !name) {
        ctx.fail('missing_argument', `${key} is required for ${block.getAttribute('type')}; in scope: ${listed(names)}`);
    }
    const model = find(ctx, type, name || names[0] || '');
    if (!model) {
        const near = name ? nearest(name, names) : null;
        ctx.fail(`unknown_${kind}`, name ? `there is no ${kind} ${JSON.stringify(name)} in scope; there are: ${listed(names)}` :
            `there is no ${kind} that ${block.getAttribute('type')} could use`,
        near ? `did you mean ${JSON.stringify(near)}?` : `create it first with add_${kind}`);
    }
    const field = Array.from(block.children).find(child => child.tagName.toLowerCase() === 'field');
    if (field) {
        field.setAttribute('id', model.getId());
        field.setAttribute('variabletype', type);
        field.textContent = seams().variableName(model);
    }
};

/**
 * @param {string} type a type without its category, such as `say`
 * @param {string[]} known the types that there are
 * @returns {string | null} the type whose name without its category is just this, or begins with it
 */
const bySuffix = (type, known) => {
    const plain = type.toLowerCase().replace(/[^a-z0-9]/g, '');
    const rest = (/** @type {string} */ name) => name.slice(name.indexOf('_') + 1).replace(/_/g, '').toLowerCase();
    if (!plain) return null;
    return known.find(name => rest(name) === plain) || known.find(name => rest(name).startsWith(plain)) || null;
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type what was asked for and is not in the palette
 */
const refuseType = (ctx, type) => {
    const {SB, vm} = ctx;
    if (types(ctx).length && SB.Blocks[type]) {
        const here = vm.editingTarget.isStage ? 'the Stage' : 'a sprite';
        ctx.fail('block_unavailable', `${type} can't be added to ${here}: the palette does not offer it here`,
            vm.editingTarget.isStage ? 'select a sprite first' : 'some blocks belong to the Stage only, others are parts of blocks');
    }
    const near = nearest(type, types(ctx)) || bySuffix(type, types(ctx));
    ctx.fail('unknown_block_type', `there is no block type ${JSON.stringify(type)}`, near ? `did you mean ${near}?` : 'block_catalogue lists the types of the open target');
};

/** What each key of `creation` is for; anything else is told as ignored. @type {Record<string, string[]>} */
const USES = {
    procedures_definition: ['procedureName', 'argumentNames', 'warp'],
    procedures_call: ['procedureName'],
    argument_reporter_string_number: ['argumentName'],
    argument_reporter_boolean: ['argumentName']
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type the block's type
 * @param {Creation} creation the caller's wishes
 * @returns {{xml: Element, ignored: string[]}} the block to make, and which wishes it has no use for
 */
const plan = (ctx, type, creation) => {
    const given = Object.entries(creation).filter(([, value]) => value !== null && value !== undefined).map(([key]) => key);
    if (USES[type]) {
        const ignored = given.filter(key => !USES[type].includes(key));
        if (type === 'procedures_definition') return {xml: definition(ctx, creation), ignored};
        if (type === 'procedures_call') return {xml: call(ctx, creation), ignored};
        return {xml: argument(ctx, type, creation), ignored};
    }
    const known = template(ctx, type);
    if (!known) refuseType(ctx, type);
    const xml = /** @type {Element} */ (/** @type {Element} */ (known).cloneNode(true));
    // The palette's ids would clash from the second block on.
    for (const part of [xml, ...xml.querySelectorAll('block, shadow')]) part.removeAttribute('id');
    const fields = Array.from(xml.children).filter(child => child.tagName.toLowerCase() === 'field');
    const has = (/** @type {string} */ name) => fields.some(field => field.getAttribute('name') === name);
    if (has('VARIABLE')) bind(ctx, xml, creation.variableName, type === 'data_variable', 'variable');
    if (has('LIST')) bind(ctx, xml, creation.listName, type === 'data_listcontents', 'list');
    const used = [has('VARIABLE') && 'variableName', has('LIST') && 'listName'];
    return {xml, ignored: given.filter(key => !used.includes(key))};
};

module.exports = {plan};
