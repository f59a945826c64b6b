// @ts-check
// Builds the scripts of a project in the editor: notation in, the VM's own block JSON out.
//
// The project, without scripts, must be loaded. For each target the notation is parsed and lowered, the blocks
// are appended to the real workspace, and the editor's events carry them into the VM. What the VM holds in the
// end is checked against what was asked for, since Blockly drops what it does not accept without a word.
const {lowerScript} = require('../lib/lower-script.js');
const {definitionOf} = require('../lib/lower-procedure.js');

const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

/** Parses the scripts of one target and lowers them; nothing has touched the editor yet. */
const lowerTarget = (world, target, index) => {
    const {notation, fail} = world;
    const parsed = target.scripts.map((script, number) => {
        const place = problem => (code, message, hint) => fail(code, `line ${script.line}: ${message}`, hint);
        const {scripts} = notation.parse(script.text, {languages: ['en']});
        if (scripts.length !== 1) place()('bad_script', `this reads as ${scripts.length} scripts instead of one`, 'nothing can follow a reporter, `stop`, `forever` or `delete this clone`; check each `end`');
        return {...script, blocks: scripts[0].blocks, prefix: `t${index}.s${number}`, fail: place()};
    });
    const procedures = {};
    for (const script of parsed) {
        const [first] = script.blocks;
        if (first.info?.shape !== 'define-hat') continue;
        const definition = definitionOf(first, script.prefix, notation);
        definition.warp = !script.refresh;
        procedures[definition.hash] ??= definition;
    }
    return parsed.map(script => {
        const lowering = lowerScript({...world, ...target.scope, scope: target.scope, procedures, fail: script.fail}, script);
        const state = lowering.stack(script.blocks);
        return {state: {...state, x: script.x, y: script.y}, fail: script.fail, ...lowering.result()};
    });
};

/** All blocks of a state, each with the place where it must end up. */
const flatten = (state, parent, input, list) => {
    list.push({id: state.id, type: state.type, parent, input});
    for (const [name, content] of Object.entries(state.inputs ?? {})) {
        for (const inner of [content.block, content.shadow]) if (inner) flatten(inner, state.id, name, list);
    }
    if (state.next) flatten(state.next.block, state.id, 'next', list);
    return list;
};

const verify = (blocks, scripts) => {
    for (const {state, fail} of scripts) {
        for (const {id, type, parent, input} of flatten(state, null, null, [])) {
            const block = blocks._blocks[id];
            if (!block || block.opcode !== type) fail('block_dropped', `the editor did not take the block ${type}`);
            const prototype = parent && blocks._blocks[parent].opcode === 'procedures_prototype';
            const held = parent === null || prototype || (input === 'next' ? blocks._blocks[parent].next === id : [blocks._blocks[parent].inputs[input]?.block, blocks._blocks[parent].inputs[input]?.shadow].includes(id));
            if (!held) fail('block_refused', `the editor did not let ${type} into ${input}`);
        }
    }
};

const loadExtensions = async ({vm}, known, opcodes) => {
    for (const opcode of opcodes) {
        const id = opcode.split('_')[0];
        if (known.includes(id) && !vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
    }
};

const append = async (ctx, target, scripts, broadcasts) => {
    const {SB, vm, workspace} = ctx;
    vm.setEditingTarget(target.id);
    await settled();
    for (const [name, id] of broadcasts) {
        if (!workspace.getVariableMap().getVariableById(id)) workspace.getVariableMap().createVariable(name, 'broadcast_msg', id);
    }
    for (const {state, fail} of scripts) {
        try {
            SB.serialization.blocks.append(state, workspace, {recordUndo: true});
        } catch (error) {
            fail('block_refused', `the editor refuses this script: ${error.message}`, 'a slot may hold a block of the wrong kind');
        }
    }
    await settled();
    await settled();
    verify(target.blocks, scripts);
    // Number fields tidy what they are given (007, 1e3); the project keeps what the text says.
    for (const {block, field, value} of scripts.flatMap(script => script.literals)) {
        const held = target.blocks._blocks[block].fields[field];
        if (held) held.value = value;
    }
};

/** @type {any} */
module.exports = async (ctx, {targets, catalogue}) => {
    const {vm, fail} = ctx;
    const [syntax, blocks] = await Promise.all([import('/scratchblocks/syntax/index.js'), import('/scratchblocks/syntax/blocks.js')]);
    const notation = {parse: syntax.parse, allLanguages: blocks.allLanguages, hashSpec: blocks.hashSpec, minifyHash: blocks.minifyHash};
    const messages = new Map();
    const broadcast = name => {
        const id = `t0.broadcast.${encodeURIComponent(name)}`;
        messages.set(name, id);
        return id;
    };
    const anyBroadcast = () => messages.values().next().value ?? broadcast('message1');
    const world = {catalogue, notation, fail};
    const lowered = targets.map((target, index) => lowerTarget(world, {scripts: target.scripts, scope: {variables: target.variables, lists: target.lists, broadcast, anyBroadcast}}, index));

    const used = lowered.flat().flatMap(script => flatten(script.state, null, null, []).map(block => block.type));
    await loadExtensions(ctx, catalogue.extensions, used);
    const originals = vm.runtime.targets.filter(target => target.isOriginal);
    for (const [index, scripts] of lowered.entries()) {
        if (scripts.length) await append(ctx, originals[index], scripts, messages);
    }
    const saved = JSON.parse(vm.toJSON());
    return {
        targets: saved.targets.map((target, index) => ({
            blocks: target.blocks,
            comments: lowered[index].flatMap(script => script.comments)
        })),
        broadcasts: Object.fromEntries([...messages].map(([name, id]) => [id, name])),
        extensions: catalogue.extensions.filter(id => used.some(opcode => opcode.startsWith(`${id}_`)))
    };
};
