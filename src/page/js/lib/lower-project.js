// @ts-check
// Lowers the scripts of all targets of a project. Pure: nothing here touches the editor.
const {definitionOf} = require('../lib/lower-procedure');
const {lowerScript} = require('../lib/lower-script');

/**
 * @typedef {import('../types/notation').Catalogue} Catalogue
 * @typedef {import('../types/notation').Fail} Fail
 * @typedef {import('../types/notation').Lowered} Lowered
 * @typedef {import('../types/notation').Notation} Notation
 * @typedef {import('../types/notation').Placed} Placed
 * @typedef {import('../types/notation').Procedure} Procedure
 * @typedef {import('../types/notation').Scope} Scope
 * @typedef {import('../types/notation').State} State
 * @typedef {import('../types/notation').TargetScripts} TargetScripts
 */

/**
 * @param {{catalogue: Catalogue, notation: Notation, fail: Fail, scope: Scope}} world what scripts can name
 * @param {TargetScripts} target its scripts
 * @param {number} index which target it is
 * @returns {Lowered[]} its scripts lowered
 */
const lowerTarget = (world, target, index) => {
    const {notation, scope} = world;
    const parsed = target.scripts.map((script, number) => {
        /** @type {Fail} */
        const fail = (code, message, hint) => world.fail(code, `line ${script.line}: ${message}`, hint);
        const {scripts} = notation.parse(script.text, {languages: ['en']});
        if (scripts.length !== 1) {
            fail('bad_script', `this reads as ${scripts.length} scripts instead of one`, 'nothing can follow a reporter, `stop`, `forever` or `delete this clone`; check each `end`');
        }
        return {...script, fail, blocks: scripts[0].blocks, prefix: `t${index}.s${number}`};
    });
    /** @type {Record<string, Procedure>} */
    const procedures = {};
    for (const {blocks, prefix, refresh} of parsed) {
        if (blocks[0].info?.shape !== 'define-hat') continue;
        const definition = definitionOf(blocks[0], prefix, notation);
        procedures[definition.hash] ??= {...definition, warp: !refresh};
    }
    return parsed.map(script => {
        const lowering = lowerScript({...world, scope, procedures, fail: script.fail}, script);
        const state = {...lowering.stack(script.blocks), x: script.x, y: script.y};
        return {state, fail: script.fail, comments: lowering.comments, literals: lowering.literals};
    });
};

/**
 * @param {State} state a block with all below and inside of it
 * @param {string | null} parent the block that holds it
 * @param {string | null} input where
 * @returns {Placed[]} every block with the place where it must end up
 */
const flatten = (state, parent = null, input = null) => [
    {id: state.id, type: state.type, parent, input},
    ...Object.entries(state.inputs ?? {}).flatMap(([name, {block, shadow}]) =>
        [block, shadow].flatMap(inner => (inner ? flatten(inner, state.id, name) : []))
    ),
    ...(state.next ? flatten(state.next.block, state.id, 'next') : [])
];

/** @returns {{messages: Map<string, string>, broadcast: (name: string) => string, anyBroadcast: () => string}} messages as scripts name them */
const messageBook = () => {
    /** @type {Map<string, string>} */
    const messages = new Map();
    /** @param {string} name @returns {string} its id */
    const broadcast = name => {
        const id = `t0.broadcast.${encodeURIComponent(name)}`;
        messages.set(name, id);
        return id;
    };
    return {messages, broadcast, anyBroadcast: () => messages.values().next().value ?? broadcast('message1')};
};

/**
 * @param {TargetScripts[]} targets of the project, in its order
 * @param {{catalogue: Catalogue, notation: Notation, fail: Fail}} world how blocks are worded, the parser, and what to do about a fault
 * @returns {{lowered: Lowered[][], messages: Map<string, string>, opcodes: Set<string>}} scripts by target, ids of messages by name, and
 *     the types of blocks in use
 */
const lowerProject = (targets, world) => {
    const {messages, broadcast, anyBroadcast} = messageBook();
    const lowered = targets.map((target, index) => {
        const scope = {variables: target.variables, lists: target.lists, broadcast, anyBroadcast};
        return lowerTarget({...world, scope}, target, index);
    });
    const opcodes = new Set(lowered.flat().flatMap(script => flatten(script.state).map(block => block.type)));
    return {lowered, messages, opcodes};
};

module.exports = {flatten, lowerProject};
