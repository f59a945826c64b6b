// @ts-check
// Builds the scripts of a project by the editor's own way: blocks are appended to the workspace that people see, and
// the editor's events carry them into the VM. The project, without scripts, must be loaded.
//
// It takes many times as long as `build-scripts.js`, whose results a test compares with these.
const {faultBook} = require('../lib/faults');
const {appendScript, finishBlocks} = require('../lib/held-blocks');
const {lowerProject, outcome} = require('../lib/lower-project');
const {loadExtensions} = require('../lib/needed-extensions');
const {loadParser, teachMouths} = require('../lib/notation-parser');

/**
 * @typedef {import('../../types/page').Ctx} Ctx
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').TargetScripts} TargetScripts
 */

/** @returns {Promise<void>} once the editor's queued events have reached the VM */
const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

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
    const taken = scripts.filter(script => appendScript(SB, workspace, script));
    await settled();
    await settled();
    finishBlocks(target.blocks._blocks, taken);
};

/** @type {import('../../types/page').PageFn<{targets: TargetScripts[], catalogue: import('../../types/notation').Catalogue}, any>} */
module.exports = async (ctx, {targets, catalogue}) => {
    const notation = await loadParser();
    teachMouths(notation, catalogue);
    const book = faultBook();
    const {lowered, messages, opcodes} = lowerProject(targets, {catalogue, notation, book});
    if (book.faults.length) return outcome(book, null);
    const extensions = await loadExtensions(ctx, catalogue.extensions, opcodes);
    const originals = ctx.vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal);
    for (const [index, scripts] of lowered.entries()) {
        if (scripts.length) await append(ctx, originals[index], scripts, messages);
    }
    /** @type {{targets: {blocks: any}[]}} */
    const saved = JSON.parse(ctx.vm.toJSON());
    return outcome(book, {
        targets: saved.targets.map(({blocks}, index) => ({blocks, comments: lowered[index].flatMap(script => script.comments)})),
        broadcasts: Object.fromEntries([...messages].map(([name, id]) => [id, name])),
        extensions
    });
};
