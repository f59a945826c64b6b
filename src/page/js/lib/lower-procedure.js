// @ts-check
// My Blocks: what a `define` line declares, and the attributes that Blockly keeps for it and for its calls.
const {attribute, partsOf} = require('../lib/notation-words.js');

/** A mutation as Blockly reads it back; the values are escaped, never pasted raw. */
const mutation = attributes => {
    const pairs = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(value)}"`);
    return `<mutation ${pairs.join(' ')}></mutation>`;
};

const parameterName = block => block.children.map(child => child.value).join(' ');

/** Words and parameters of the outline of a `define` line. A percent sign in a word would be taken for a parameter. */
const outlineOf = block => {
    const outline = block.children.find(child => child.isOutline);
    return outline.children.map(child => (child.isLabel ? {word: child.value} : {name: parameterName(child), boolean: child.info.argument === 'boolean'}));
};

const proccodeOf = parts => parts.map(part => (part.word === undefined ? (part.boolean ? '%b' : '%s') : part.word)).join(' ');

/** @param {any} block the parsed `define` line */
const definitionOf = (block, prefix, notation) => {
    const parts = outlineOf(block);
    const parameters = parts.filter(part => part.word === undefined).map((part, i) => ({id: `${prefix}.arg${i}`, name: part.name, boolean: part.boolean}));
    const proccode = proccodeOf(parts);
    const ids = JSON.stringify(parameters.map(each => each.id));
    return {
        prefix,
        proccode,
        parameters,
        hash: notation.minifyHash(parts.map(part => part.word ?? '_').join(' ')),
        prototype: refresh =>
            mutation({
                proccode,
                argumentids: ids,
                argumentnames: JSON.stringify(parameters.map(each => each.name)),
                argumentdefaults: JSON.stringify(parameters.map(each => (each.boolean ? 'false' : ''))),
                warp: String(!refresh)
            }),
        warp: false
    };
};

/** A call of a block that nothing defines: its shape is read off the call itself. */
const undefinedCall = (block, prefix, count) => {
    const parts = partsOf(block).map(part => (part.isLabel ? {word: part.value} : {boolean: part.isBoolean || false}));
    const parameters = parts.filter(part => part.word === undefined).map((part, i) => ({id: `${prefix}.${count}.arg${i}`, boolean: part.boolean}));
    return {proccode: proccodeOf(parts), parameters, warp: false};
};

/** The state of a call, without what fills its slots. */
const callOf = ({proccode, parameters, warp}, id) => ({
    type: 'procedures_call',
    id,
    extraState: mutation({proccode, argumentids: JSON.stringify(parameters.map(each => each.id)), warp: String(warp)})
});

module.exports = {callOf, definitionOf, undefinedCall};
