// @ts-check
// The live workspace as plain data. What can be edited gets an index: every block except default blocks
// (shadows) and the prototype inside a definition, which the definition's own line shows.

const {sortOptions, choicesKey} = require('./choices');
const {slotLabels} = require('./proccode');
const {isTyped} = require('./typed-value');
const {seams} = require('./editor-seams');

/** @typedef {import('../../types/composite').BlockView} BlockView */

/** Blockly's connection type of a value slot; 3 is a statement slot (Blockly.inputs.inputTypes). */
const VALUE = 1;
const STATEMENT = 3;

/** Opcodes whose field names a variable without a dropdown, with the key their choices are shown under. */
const GETTERS = /** @type {Record<string, string>} */ ({data_variable: 'variables', data_listcontents: 'lists'});

/**
 * @param {any} block a block
 * @returns {any[]} its fields that hold a value
 */
const namedFields = block =>
    block.inputList.flatMap((/** @type {any} */ input) => input.fieldRow).filter((/** @type {any} */ field) =>
        field.name && (field.SERIALIZABLE || field.EDITABLE));

/**
 * @param {any} block a procedures_prototype or procedures_call block
 * @returns {import('../../types/composite').ProcedureView} what its mutation says
 */
const procedureOf = block => {
    const mutation = block.mutationToDom();
    const list = (/** @type {string} */ name) => JSON.parse(mutation.getAttribute(name) || '[]');
    return {
        proccode: mutation.getAttribute('proccode'),
        argumentIds: list('argumentids'),
        argumentNames: list('argumentnames'),
        warp: mutation.getAttribute('warp') === 'true'
    };
};

/**
 * @param {any} workspace the main workspace
 * @returns {(import('../../types/composite').ProcedureView & {definition: any})[]} the procedures defined in it
 */
const procedures = workspace => seams().blocksOfType(workspace, 'procedures_prototype')
    .map((/** @type {any} */ prototype) => ({...procedureOf(prototype), definition: prototype.getParent()}));

/**
 * @param {any} block any block
 * @returns {import('../../types/composite').ProcedureView | null} for a definition or a call: whose it is
 */
const procedureView = block => {
    if (block.type === 'procedures_definition') {
        const prototype = block.getInputTargetBlock('custom_block');
        return prototype ? procedureOf(prototype) : null;
    }
    if (block.type !== 'procedures_call') return null;
    const call = procedureOf(block);
    const known = procedures(block.workspace).find(procedure => procedure.proccode === call.proccode);
    // The program asks for the ids of the definition, whatever the call names.
    return known ? {...call, argumentIds: known.argumentIds, argumentNames: known.argumentNames} : {...call, argumentNames: []};
};

/**
 * @param {any} block any block
 * @returns {{name: string, input: any}[]} its slots under the names that agents use: argument names on calls
 */
const slots = block => {
    const inputs = block.inputList.filter((/** @type {any} */ input) =>
        input.name && input.connection && block.type !== 'procedures_definition');
    const procedure = block.type === 'procedures_call' ? procedureView(block) : null;
    if (!procedure || procedure.argumentNames.length !== procedure.argumentIds.length) {
        return inputs.map((/** @type {any} */ input) => ({name: input.name, input}));
    }
    const labels = slotLabels(procedure.argumentNames);
    return inputs.map((/** @type {any} */ input) => {
        const at = procedure.argumentIds.indexOf(input.name);
        return {name: at < 0 ? input.name : labels[at], input};
    });
};

/**
 * @param {any} block the block that the field is on
 * @param {any} field one of its fields
 * @param {(model: any) => string} called what a variable is called here
 * @returns {import('../../types/composite').FieldView} name, value and choices
 */
const fieldView = (block, field, called = seams().variableName) => {
    const variable = typeof field.getVariable === 'function' ? field.getVariable() : null;
    const value = variable ? called(variable) : String(field.getValue());
    if (GETTERS[block.type]) {
        const kind = block.type === 'data_variable' ? '' : 'list';
        const names = block.workspace.getVariableMap().getVariablesOfType(kind)
            .map(called).sort();
        return {name: field.name, value, choicesKey: GETTERS[block.type], choices: names};
    }
    const choices = typeof field.getOptions === 'function' && !isTyped(block.type) ?
        sortOptions(field.getOptions(false)).choices.map(choice => choice.label) : null;
    return {name: field.name, value, choicesKey: choicesKey(field.name), choices};
};

/**
 * @param {any} first a block, or null
 * @returns {any[]} it and the blocks below it
 */
const stackFrom = first => {
    const stack = [];
    for (let block = first; block; block = block.getNextBlock()) stack.push(block);
    return stack;
};

/**
 * @param {string} name what agents call the slot
 * @param {any} input the slot
 * @param {(model: any) => string} called what a variable is called here
 * @returns {import('../../types/composite').InputView} what is in it
 */
const inputView = (name, input, called) => {
    const inside = input.connection.targetBlock();
    const kind = input.connection.type === STATEMENT ? 'statement' : 'value';
    if (!inside || !inside.isShadow()) return {name, kind, blocks: stackFrom(inside).map(block => blockView(block, called)), shadow: null};
    const [field] = namedFields(inside);
    return {name, kind, blocks: [], shadow: {opcode: inside.type, field: field ? fieldView(inside, field, called) : null}};
};

/**
 * @param {any} block a block
 * @param {(model: any) => string} called what a variable is called here
 * @returns {BlockView} the block with all that is in its slots
 */
const blockView = (block, called) => ({
    id: block.id,
    opcode: block.type,
    fields: namedFields(block).map(field => fieldView(block, field, called)),
    inputs: slots(block).map(({name, input}) => inputView(name, input, called)),
    comment: seams().commentOn(block),
    procedure: procedureView(block)
});

/**
 * @param {any} workspace the main workspace
 * @returns {any[]} the first block of every script, oldest first; a default block left alone is no script
 */
const tops = workspace => workspace.getTopBlocks(false).filter((/** @type {any} */ block) => !block.isShadow());

/**
 * @param {any} workspace the main workspace
 * @param {(model: any) => string} called what a variable is called here
 * @returns {import('../../types/composite').WorkspaceView} its scripts and comments
 */
const workspaceView = (workspace, called = seams().variableName) => ({
    scripts: tops(workspace).map(top => stackFrom(top).map(block => blockView(block, called))),
    comments: seams().looseComments(workspace)
});

/**
 * The order of the pseudocode without its text: a block, what is in its slots, then the block below.
 * @param {any} workspace the main workspace
 * @returns {any[]} the blocks in the order of their indexes
 */
const numbered = workspace => {
    /** @type {any[]} */
    const found = [];
    /** @param {any} first start of a stack */
    const visit = first => {
        for (const block of stackFrom(first)) {
            found.push(block);
            for (const {input} of slots(block)) {
                const inside = input.connection.targetBlock();
                if (inside && !inside.isShadow()) visit(inside);
            }
        }
    };
    tops(workspace).forEach(visit);
    return found;
};

module.exports = {VALUE, STATEMENT, fieldView, namedFields, numbered, procedures, slots, stackFrom, workspaceView};
