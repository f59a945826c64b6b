// @ts-check
// One block of the palette as a catalogue entry.

const {VALUE, fieldView, namedFields} = require('../../shared/lib/workspace-view');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {import('../../types/composite').CatalogueBlock} CatalogueBlock */

/**
 * @param {any} block a block
 * @returns {CatalogueBlock['shape']} what it can be connected to, in one word
 */
const shapeOf = block => {
    if (block.outputConnection) return (seams().checkOf(block.outputConnection) || []).includes('Boolean') ? 'boolean' : 'reporter';
    if (!block.previousConnection) return 'hat';
    if (block.inputList.some((/** @type {any} */ input) => input.connection && input.connection.type !== VALUE)) return 'c';
    return block.nextConnection ? 'stack' : 'cap';
};

/**
 * @param {any} block a block
 * @param {any} field one of its fields
 * @returns {CatalogueBlock['fields'][number]} the field without a project's own names
 */
const fieldEntry = (block, field) => {
    const {name, value, choices} = fieldView(block, field);
    return {name, default: value, choices: typeof field.getVariable === 'function' ? null : choices};
};

/**
 * @param {any} input a slot
 * @returns {CatalogueBlock['inputs'][number]} its type is `statement`, `boolean`, or the type of its default block
 */
const inputEntry = input => {
    const name = input.name;
    if (input.connection.type !== VALUE) return {name, type: 'statement', default: null, choices: null};
    const shadow = input.connection.targetBlock();
    if (!shadow) return {name, type: 'boolean', default: null, choices: null};
    const [field] = namedFields(shadow);
    if (!field) return {name, type: shadow.type, default: null, choices: null};
    const {value, choices} = fieldView(shadow, field);
    return {name, type: shadow.type, default: value, choices: fieldEntry(shadow, field).choices && choices};
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} spare a workspace to try the block in
 * @param {Element} template the palette's block
 * @returns {CatalogueBlock} the entry
 */
const catalogueBlock = (ctx, spare, template) => {
    const block = ctx.SB.Xml.domToBlock(template.cloneNode(true), spare);
    try {
        const creation = /** @type {Record<string, string[]>} */ ({data_variable: ['variableName'], data_listcontents: ['listName']});
        return {
            opcode: block.type,
            shape: shapeOf(block),
            inputs: block.inputList.filter((/** @type {any} */ input) => input.connection).map(inputEntry),
            fields: namedFields(block).map(field => fieldEntry(block, field)),
            creation: creation[block.type] || []
        };
    } finally {
        block.dispose();
    }
};

/** @returns {CatalogueBlock[]} My Blocks: what add_block can make of them; calls depend on the project's definitions */
const ownBlocks = () => [
    {opcode: 'procedures_definition', shape: 'definition', inputs: [], fields: [], creation: ['procedureName', 'argumentNames', 'warp']},
    {opcode: 'procedures_call', shape: 'stack', inputs: [], fields: [], creation: ['procedureName']},
    {opcode: 'argument_reporter_string_number', shape: 'reporter', inputs: [], fields: [{name: 'VALUE', default: null, choices: null}], creation: ['argumentName']},
    {opcode: 'argument_reporter_boolean', shape: 'boolean', inputs: [], fields: [{name: 'VALUE', default: null, choices: null}], creation: ['argumentName']}
];

module.exports = {catalogueBlock, ownBlocks};
