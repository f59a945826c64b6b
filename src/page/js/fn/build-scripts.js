// @ts-check
// Builds the scripts of a project in the editor: notation in, the VM's own block JSON out.
//
// The project, without scripts, must be loaded. For each target the notation is parsed and lowered, the blocks
// are appended to the real workspace, and the editor's events carry them into the VM. What the VM holds in the
// end is checked against what was asked for, since Blockly drops what it does not accept without a word.
const {definitionOf} = require('../lib/lower-procedure');
const {lowerScript} = require('../lib/lower-script');
const {loadParser} = require('../lib/notation-parser');

/**
 * @typedef {import('../types/page').Ctx} Ctx
 * @typedef {import('../types/notation').Catalogue} Catalogue
 * @typedef {import('../types/notation').Lowered} Lowered
 * @typedef {import('../types/notation').Notation} Notation
 * @typedef {import('../types/notation').Procedure} Procedure
 * @typedef {import('../types/notation').Scope} Scope
 * @typedef {import('../types/notation').State} State
 * @typedef {import('../types/notation').TargetScripts} TargetScripts
 * @typedef {{id: string, type: string, parent: string | null, input: string | null}} Placed
 */

/** @returns {Promise<void>} once the editor's queued events have reached the VM */
const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

/**
 * @param {{catalogue: Catalogue, notation: Notation, fail: Ctx['fail'], scope: Scope}} world what scripts can name
 * @param {TargetScripts} target its scripts
 * @param {number} index which target it is
 * @returns {Lowered[]} its scripts lowered; nothing has touched the editor yet
 */
const lowerTarget = (world, target, index) => {
    const {notation, scope} = world;
    const parsed = target.scripts.map((script, number) => {
        /** @type {Ctx['fail']} */
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
 * @param {Lowered[]} scripts what was asked for
 */
const verify = (blocks, scripts) => {
    for (const {state, fail} of scripts) {
        for (const placed of flatten(state)) {
            if (blocks[placed.id]?.opcode !== placed.type) fail('block_dropped', `the editor did not take the block ${placed.type}`);
            if (!isHeld(blocks, placed)) fail('block_refused', `the editor did not let ${placed.type} into ${placed.input}`);
        }
    }
};

/**
 * @param {Ctx} ctx the editor
 * @param {any} target of the VM
 * @param {Lowered[]} scripts to build in it
 * @param {Map<string, string>} messages ids by name
 */
const append = async ({SB, vm, workspace}, target, scripts, messages) => {
    vm.setEditingTarget(target.id);
    await settled();
    const variables = workspace.getVariableMap();
    for (const [name, id] of messages) {
        if (!variables.getVariableById(id)) variables.createVariable(name, 'broadcast_msg', id);
    }
    for (const {state, fail} of scripts) {
        try {
            SB.serialization.blocks.append(state, workspace, {recordUndo: true});
        } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            fail('block_refused', `the editor refuses this script: ${reason}`, 'a slot may hold a block of the wrong kind');
        }
    }
    await settled();
    await settled();
    verify(target.blocks._blocks, scripts);
    // Number fields tidy what they are given (007, 1e3); the project keeps what the text says.
    for (const {block, field, value} of scripts.flatMap(script => script.literals)) {
        const held = target.blocks._blocks[block].fields[field];
        if (held) held.value = value;
    }
};

/**
 * @param {Ctx} ctx the editor
 * @param {string[]} known extensions of the catalogue
 * @param {string[]} opcodes in use
 * @returns {Promise<string[]>} the extensions that are needed, loaded
 */
const loadExtensions = async ({vm}, known, opcodes) => {
    const needed = known.filter(id => opcodes.some(opcode => opcode.startsWith(`${id}_`)));
    for (const id of needed) {
        if (!vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
    }
    return needed;
};

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

/** @type {import('../types/page').PageFn<{targets: TargetScripts[], catalogue: Catalogue}, any>} */
module.exports = async (ctx, {targets, catalogue}) => {
    const notation = await loadParser();
    const {messages, broadcast, anyBroadcast} = messageBook();
    const lowered = targets.map((target, index) => {
        const scope = {variables: target.variables, lists: target.lists, broadcast, anyBroadcast};
        return lowerTarget({catalogue, notation, fail: ctx.fail, scope}, target, index);
    });
    const opcodes = lowered.flat().flatMap(script => flatten(script.state).map(block => block.type));
    const extensions = await loadExtensions(ctx, catalogue.extensions, opcodes);
    const originals = ctx.vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal);
    for (const [index, scripts] of lowered.entries()) {
        if (scripts.length) await append(ctx, originals[index], scripts, messages);
    }
    /** @type {{targets: {blocks: any}[]}} */
    const saved = JSON.parse(ctx.vm.toJSON());
    return {
        targets: saved.targets.map(({blocks}, index) => ({blocks, comments: lowered[index].flatMap(script => script.comments)})),
        broadcasts: Object.fromEntries([...messages].map(([name, id]) => [id, name])),
        extensions
    };
};
