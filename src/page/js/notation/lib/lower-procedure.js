// @ts-check
// My Blocks: what a `define` line declares, and the attributes that Blockly keeps for it and for its calls.
const {attribute, partsOf} = require('./notation-words');

/**
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Procedure} Procedure
 * @typedef {{word?: string, name?: string, boolean: boolean}} Part
 * @typedef {import('../../types/notation').MutatedState} MutatedState
 */

/**
 * A mutation as Blockly reads it back; the values are escaped, never pasted raw.
 * @param {Record<string, string>} attributes by name
 * @returns {string} XML
 */
const xmlOf = attributes => {
    const pairs = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(value)}"`);
    return `<mutation ${pairs.join(' ')}></mutation>`;
};

/**
 * @param {string} type of the block
 * @param {string} id of the block
 * @param {Record<string, string>} attributes of its mutation
 * @returns {MutatedState} the block; the VM takes what looks like an entity for one, so that the attributes are to be put once more
 */
const mutated = (type, id, attributes) => ({type, id, extraState: xmlOf(attributes), mutation: {attributes}});

/**
 * @param {Node} block a parsed `define` line
 * @returns {Part[]} words and parameters of its outline
 */
const outlineOf = block => {
    const outline = block.children.find(child => child.isOutline);
    return (outline?.children ?? []).map(child => {
        if (child.isLabel) return {word: child.value, boolean: false};
        return {name: child.children.map(word => word.value).join(' '), boolean: child.info.argument === 'boolean'};
    });
};

/**
 * @param {Part[]} parts words and parameters
 * @returns {string} the name that the machine knows the block by
 */
const proccodeOf = parts => parts.map(part => part.word ?? (part.boolean ? '%b' : '%s')).join(' ');

/**
 * @param {Part[]} parts words and parameters
 * @param {string} prefix where the ids of the parameters begin
 * @returns {import('../../types/notation').Parameter[]} the parameters with their ids
 */
const parametersOf = (parts, prefix) =>
    parts.filter(part => part.word === undefined).map(({name, boolean}, i) => ({id: `${prefix}.arg${i}`, name, boolean}));

/**
 * @param {Node} block a parsed `define` line
 * @param {string} prefix where the ids of its script begin
 * @param {import('../../types/notation').Notation} notation the parser
 * @returns {Procedure & {hash: string, prototype: (id: string, refresh: boolean) => MutatedState}} what it declares
 */
const definitionOf = (block, prefix, notation) => {
    const parts = outlineOf(block);
    const parameters = parametersOf(parts, prefix);
    const proccode = proccodeOf(parts);
    return {
        prefix,
        proccode,
        parameters,
        warp: false,
        hash: notation.minifyHash(parts.map(part => part.word ?? '_').join(' ')),
        prototype: (id, refresh) =>
            mutated('procedures_prototype', id, {
                proccode,
                argumentids: JSON.stringify(parameters.map(each => each.id)),
                argumentnames: JSON.stringify(parameters.map(each => each.name)),
                argumentdefaults: JSON.stringify(parameters.map(each => (each.boolean ? 'false' : ''))),
                warp: String(!refresh)
            })
    };
};

/**
 * A call of a block that nothing defines: its shape is read off the call itself.
 * @param {Node} block the parsed call
 * @param {string} prefix where the ids of its parameters begin
 * @returns {Procedure} what a definition would declare
 */
const undefinedCall = (block, prefix) => {
    const parts = partsOf(block).map(part => (part.isLabel ? {word: part.value, boolean: false} : {boolean: Boolean(part.isBoolean)}));
    return {proccode: proccodeOf(parts), parameters: parametersOf(parts, prefix), warp: false};
};

/**
 * @param {Procedure} procedure what is called
 * @param {string} id of the call
 * @returns {MutatedState} the call, without what fills its slots
 */
const callOf = ({proccode, parameters, warp}, id) =>
    mutated('procedures_call', id, {proccode, argumentids: JSON.stringify(parameters.map(each => each.id)), warp: String(warp)});

module.exports = {callOf, definitionOf, undefinedCall};
