// @ts-check
// Builds the scripts of a project: notation in, the VM's own block JSON out.
//
// Blockly makes the blocks in a workspace that nobody sees, and the VM's own code takes them from its event and writes
// them down. The project need not be loaded, and the one that is in the editor stays as it is. `build-in-editor.js`
// does the same by the editor's own way, for comparison.
const {faultBook} = require('../lib/faults');
const {appendScript, finishBlocks} = require('../lib/held-blocks');
const {lowerProject, outcome} = require('../lib/lower-project');
const {loadExtensions} = require('../lib/needed-extensions');
const {loadParser, teachMouths} = require('../lib/notation-parser');
const {plainWorkspace} = require('../lib/plain-workspace');

/**
 * @typedef {import('../../types/page').Ctx} Ctx
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').TargetScripts} TargetScripts
 */

/**
 * @param {any} vm the editor's
 * @param {TargetScripts[]} targets what is to be built
 * @returns {any[]} targets with the names that menus show, of which the VM does not know
 */
const bareTargets = (vm, targets) => {
    const {runtime} = vm;
    const stage = runtime.getTargetForStage();
    return targets.map(({name, costumes, sounds}, index) => {
        const sprite = new stage.sprite.constructor(null, runtime);
        Object.assign(sprite, {name, costumes_: costumes.map(each => ({name: each})), sounds: sounds.map(each => ({name: each}))});
        return Object.assign(new stage.constructor(sprite, runtime), {isStage: index === 0});
    });
};

/**
 * Puts other targets in the place of the editor's for as long as some work takes, which can't be interrupted: menus list
 * what is there, and a menu below a reporter keeps its first entry.
 * @template T
 * @param {any} vm the editor's
 * @param {any[]} targets for the time
 * @param {() => T} work synchronous
 * @returns {T} what it returns
 */
const among = (vm, targets, work) => {
    const {editingTarget, runtime} = vm;
    const {targets: own} = runtime;
    runtime.targets = targets;
    try {
        return work();
    } finally {
        runtime.targets = own;
        vm.editingTarget = editingTarget;
    }
};

/**
 * @param {Ctx} ctx the editor
 * @param {TargetScripts} names of variables and lists
 * @param {Map<string, string>} messages ids by name
 * @returns {any} an empty workspace that knows them
 */
const workspaceFor = (ctx, {variables, lists}, messages) => {
    const plain = plainWorkspace(ctx);
    const known = plain.getVariableMap();
    // Blockly does not tell upper from lower case in names, so none is given here; whoever asked knows them by their ids.
    variables.forEach(([, id], number) => known.createVariable(`variable ${number}`, '', id));
    lists.forEach(([, id], number) => known.createVariable(`list ${number}`, 'list', id));
    for (const [name, id] of messages) known.createVariable(name, 'broadcast_msg', id);
    return plain;
};

/**
 * @param {any} SB the editor's ScratchBlocks
 * @param {any} plain a workspace
 * @param {any} blocks of a target of the VM
 * @param {Lowered[]} scripts to build
 */
const append = (SB, plain, blocks, scripts) => {
    const Created = SB.Events.get('create');
    /** @type {Lowered[]} */
    const taken = [];
    // The editor's palette and the VM listen to events of every workspace that fires some.
    SB.Events.disable();
    try {
        for (const script of scripts) {
            const first = appendScript(SB, plain, script);
            if (!first) continue;
            blocks.blocklyListen(new Created(first));
            taken.push(script);
        }
    } finally {
        plain.dispose();
        SB.Events.enable();
    }
    finishBlocks(blocks._blocks, taken);
};

/** @type {import('../../types/page').PageFn<{targets: TargetScripts[], catalogue: import('../../types/notation').Catalogue}, any>} */
module.exports = async (ctx, {targets, catalogue}) => {
    const {SB, vm} = ctx;
    const notation = await loadParser();
    teachMouths(notation, catalogue);
    const book = faultBook();
    const {lowered, messages, opcodes} = lowerProject(targets, {catalogue, notation, book});
    if (book.faults.length) return outcome(book, null);
    const extensions = await loadExtensions(ctx, catalogue.extensions, opcodes);
    const bare = bareTargets(vm, targets);
    /** @type {{targets: {blocks: any}[]}} */
    const saved = among(vm, bare, () => {
        bare.forEach((target, index) => {
            vm.editingTarget = target;
            if (lowered[index].length) append(SB, workspaceFor(ctx, targets[index], messages), target.blocks, lowered[index]);
        });
        // Only blocks are wanted, and costumes without pixels can't be written.
        for (const {sprite} of bare) Object.assign(sprite, {costumes_: [], sounds: []});
        return JSON.parse(vm.toJSON());
    });
    return outcome(book, {
        targets: saved.targets.map(({blocks}, index) => ({blocks, comments: lowered[index].flatMap(script => script.comments)})),
        broadcasts: Object.fromEntries([...messages].map(([name, id]) => [id, name])),
        extensions
    });
};
