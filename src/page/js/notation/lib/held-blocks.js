// @ts-check
// What the VM holds after scripts were built is checked against what was asked for, since Blockly drops what it
// does not accept without a word.
const {seams} = require('../../shared/lib/editor-seams');
const {flatten} = require('./lower-project');

/**
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').Placed} Placed
 */

/**
 * @param {Record<string, any>} blocks of the VM, by id
 * @param {Placed} placed what was asked for
 * @returns {boolean} whether the block is where it belongs
 */
const isHeld = (blocks, {id, parent, input}) => {
    if (parent === null || input === null) return true;
    const holder = blocks[parent];
    // The VM drops the parameters from inside of a prototype when it loads a project, so they need not be there.
    if (holder.opcode === 'procedures_prototype') return true;
    const slot = holder.inputs[input];
    return input === 'next' ? holder.next === id : slot?.block === id || slot?.shadow === id;
};

/**
 * @param {Record<string, any>} blocks of the VM, by id
 * @param {Lowered} script what was asked for
 * @returns {boolean} whether all is there; the first block that is not is refused
 */
const isWhole = (blocks, {state, refuse}) => {
    const lost = flatten(state).find(placed => blocks[placed.id]?.opcode !== placed.type || !isHeld(blocks, placed));
    if (!lost) return true;
    if (blocks[lost.id]?.opcode === lost.type) refuse(lost.id, 'block_refused', `the editor did not let ${lost.type} into ${lost.input}`);
    else refuse(lost.id, 'block_dropped', `the editor did not take the block ${lost.type}`);
    return false;
};

/**
 * Refuses what the editor dropped, and puts the values as they are written.
 * @param {Record<string, any>} blocks of the VM, by id
 * @param {Lowered[]} scripts what was asked for
 */
const finishBlocks = (blocks, scripts) => {
    const whole = scripts.filter(script => isWhole(blocks, script));
    // Number fields tidy what they are given (007, 1e3); the project keeps what the text says.
    for (const {block, field, value} of whole.flatMap(script => script.literals)) {
        const held = blocks[block].fields[field];
        if (held) held.value = value;
    }
    for (const {block, attributes} of whole.flatMap(script => script.mutations)) Object.assign(blocks[block].mutation, attributes);
};

/**
 * @param {any} SB the editor's ScratchBlocks
 * @param {any} workspace where the script is made
 * @param {Lowered} script what is asked for
 * @returns {any} its first block; null if the editor refuses it, which is noted
 */
const appendScript = (SB, workspace, {state, refuse, advice}) => {
    try {
        return seams().appendBlocks(SB, workspace, state);
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const {childState} = /** @type {{childState?: {id?: string}}} */ (error);
        const id = childState?.id ?? state.id;
        const known = advice(id);
        refuse(id, 'block_refused', known?.message ?? `the editor refuses this script: ${reason}`, known?.hint ?? 'a slot may hold a block of the wrong kind');
        return null;
    }
};

module.exports = {appendScript, finishBlocks};
