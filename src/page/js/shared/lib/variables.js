// @ts-check
// Variables, lists and messages of the editing target.

const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** Blockly's names of the three kinds (ScratchBlocks constants). */
const SCALAR = '';
const LIST = 'list';
const BROADCAST = 'broadcast_msg';

/** @type {Record<string, string>} how to say each kind */
const KIND_NAMES = {[SCALAR]: 'variable', [LIST]: 'list', [BROADCAST]: 'message'};

/**
 * @param {any} workspace the main workspace
 * @param {string} type one of the three kinds
 * @returns {string[]} the names in scope, sorted
 */
const namesOf = (workspace, type) => workspace.getVariableMap().getVariablesOfType(type)
    .map(seams().variableName).sort();

/**
 * @param {any} workspace the main workspace
 * @param {string} type one of the three kinds
 * @param {string} name exact name, or the id
 * @returns {any} the variable; null when it is not in scope
 */
const find = (workspace, type, name) => {
    const models = workspace.getVariableMap().getVariablesOfType(type);
    return models.find((/** @type {any} */ model) => seams().variableName(model) === name) ||
        models.find((/** @type {any} */ model) => model.getId() === name) || null;
};

/**
 * What the editor's own dialog does after "OK", without ticking the box that shows the variable on the stage: that comes late, after a timer, and covers the picture.
 * @param {Ctx} ctx the page function's context
 * @param {string} name of the new variable, free in its scope
 * @param {string} type one of the three kinds
 * @param {boolean} isLocal whether only the editing target has it
 * @returns {any} the new variable
 */
const create = ({SB, workspace}, name, type, isLocal) => seams().createVariable(SB, workspace, {name, type, isLocal});

module.exports = {BROADCAST, KIND_NAMES, LIST, SCALAR, create, find, namesOf};
