// @ts-check
// Scripts in notation for the workspace that people see: the names that are in scope there, and ids that are free there.

const {faultBook, inOrder} = require('../../notation/lib/faults');
const {lowerProject} = require('../../notation/lib/lower-project');
const {teachMouths} = require('../../notation/lib/notation-parser');
const {seams} = require('../../shared/lib/editor-seams');
const {procedures} = require('../../shared/lib/workspace-view');
const {BROADCAST, LIST, SCALAR, forms} = require('../../shared/lib/variables');

/**
 * @typedef {import('../../types/page').Ctx} Ctx
 * @typedef {import('../../types/notation').Fault} Fault
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').ScriptText} ScriptText
 * @typedef {import('../../types/notation').State} State
 * @typedef {import('../../types/notation').TargetScripts} TargetScripts
 */

/** Where ids that come from the text begin. */
const OF_TEXT = /t\d+\.s\d+(?:\.\d+)?\.arg\d+/g;
const MESSAGE = /^t0\.broadcast\./;

/**
 * @param {string} text scripts with an empty line between
 * @param {boolean} refresh whether definitions let the screen be refreshed
 * @returns {ScriptText[]} the scripts, each with the numbers of its lines
 */
const parted = (text, refresh) => {
    /** @type {{numbers: number[], words: string[]}[]} */
    const scripts = [];
    let open = false;
    text.split(/\r\n|\r|\n/).forEach((line, at) => {
        if (!line.trim()) {
            open = false;
            return;
        }
        if (!open) scripts.push({numbers: [], words: []});
        open = true;
        const script = scripts[scripts.length - 1];
        script.numbers.push(at + 1);
        script.words.push(line);
    });
    return scripts.map(({numbers, words}) => ({text: words.join('\n'), lines: numbers, refresh, x: 0, y: 0}));
};

/** @param {string} words @returns {string} as the notation writes them */
const escaped = words => words.replace(/[()[\]<>\\:/]/g, '\\$&');

/**
 * @param {{proccode: string, argumentNames: string[], warp: boolean}} procedure a block that the open target defines
 * @returns {ScriptText} its definition, so that calls find it
 */
const definitionText = ({proccode, argumentNames, warp}) => {
    const names = argumentNames.map(escaped);
    const label = proccode.split(/(%[sbn])/).map(part => {
        if (/^%[sn]$/.test(part)) return `(${names.shift()})`;
        return part === '%b' ? `<${names.shift()}>` : escaped(part);
    });
    return {text: `define ${label.join('')}`, lines: [0], refresh: !warp, x: 0, y: 0};
};

/**
 * @param {any} owner a target of the VM
 * @param {string} type of variables
 * @returns {[string, string][]} names and ids
 */
const named = (owner, type) => Object.values(owner.variables)
    .filter((/** @type {any} */ variable) => variable.type === type)
    .map((/** @type {any} */ {name, id}) => [name, id]);

/**
 * @param {Ctx} ctx the page function's context
 * @param {ScriptText[]} scripts of the open target
 * @returns {TargetScripts[]} all targets, the open one with the scripts
 */
const targetsWith = (ctx, scripts) => {
    const {vm} = ctx;
    const stage = vm.runtime.getTargetForStage();
    const reached = (/** @type {any} */ target, /** @type {string} */ type) => (target === vm.editingTarget ?
        [...forms(ctx, type)].map(([form, {id}]) => /** @type {[string, string]} */ ([form, id])) :
        [...named(stage, type), ...named(target, type)]);
    const originals = vm.runtime.targets.filter((/** @type {any} */ one) => one.isOriginal);
    return originals.map((/** @type {any} */ target) => ({
        name: target.getName(),
        costumes: target.getCostumes().map((/** @type {any} */ {name}) => name),
        sounds: target.getSounds().map((/** @type {any} */ {name}) => name),
        variables: reached(target, SCALAR),
        lists: reached(target, LIST),
        scripts: target === vm.editingTarget ? scripts : []
    }));
};

/**
 * Puts ids of this workspace in the place of those that are derived from the text.
 * @param {State} state a block with all below and inside of it
 * @param {(id: string) => string} blockId
 * @param {(id: string) => string} argumentId
 * @param {(id: string) => string} messageId
 * @returns {State} the same with the other ids
 */
const withIds = (state, blockId, argumentId, messageId) => {
    const again = (/** @type {State} */ inner) => withIds(inner, blockId, argumentId, messageId);
    const field = (/** @type {any} */ value) => (MESSAGE.test(value?.id) ? {...value, id: messageId(value.id)} : value);
    const slot = (/** @type {{block?: State, shadow?: State}} */ {block, shadow}) =>
        ({...(block && {block: again(block)}), ...(shadow && {shadow: again(shadow)})});
    return {
        ...state,
        id: blockId(state.id),
        ...(state.extraState && {extraState: state.extraState.replace(OF_TEXT, argumentId)}),
        ...(state.fields && {fields: Object.fromEntries(Object.entries(state.fields).map(([name, value]) => [name, field(value)]))}),
        // A prototype that is drawn makes its parameters by itself.
        inputs: state.type === 'procedures_prototype' ? {} :
            Object.fromEntries(Object.entries(state.inputs ?? {}).map(([name, value]) => [name.replace(OF_TEXT, argumentId), slot(value)])),
        ...(state.next && {next: {block: again(state.next.block)}})
    };
};

/** @param {() => string} fresh makes an id @returns {{renamed: (id: string) => string, original: (id: string) => string}} the same new id for the same old one, and back */
const renamer = fresh => {
    /** @type {Map<string, string>} */
    const known = new Map();
    return {
        renamed: id => known.get(id) ?? /** @type {string} */ (known.set(id, fresh()).get(id)),
        original: id => [...known].find(([, made]) => made === id)?.[0] ?? id
    };
};

/**
 * Refuses a text with all that is wrong in it, if anything is.
 * @param {Ctx} ctx the page function's context
 * @param {Fault[]} faults in any order
 */
const refuseFaults = (ctx, faults) => {
    const [first, ...others] = inOrder(faults);
    if (!first) return;
    // The hints of project texts speak of their header.
    const hint = first.hint && /^declare it/.test(first.hint) ? 'create it first with add_variable or add_list' : first.hint;
    const messages = [first, ...others].map(({line, message}) => `line ${line}: ${message}`);
    ctx.fail(first.code, messages.join('; '), hint ?? undefined);
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {{catalogue: import('../../types/notation').Catalogue, notation: import('../../types/notation').Notation}} words how blocks are worded
 * @param {ScriptText[]} scripts to read
 * @returns {{scripts: Lowered[], opcodes: Set<string>, messages: string[]}} what to build, and the messages that are new
 */
const lowerHere = (ctx, {catalogue, notation}, scripts) => {
    const {SB, vm, workspace} = ctx;
    const defined = procedures(workspace);
    const book = faultBook();
    teachMouths(notation, catalogue);
    const targets = targetsWith(ctx, [...defined.map(definitionText), ...scripts]);
    const open = targets.findIndex(target => target.scripts.length > 0);
    const {lowered, messages, opcodes} = lowerProject(targets, {catalogue, notation, book});
    refuseFaults(ctx, book.faults);
    const known = new Map(named(vm.runtime.getTargetForStage(), BROADCAST));
    const ids = new Map([...messages].map(([name, id]) => [id, name]));
    const fresh = () => seams().freshId(SB);
    const {renamed: blockId, original} = renamer(fresh);
    const {renamed: newArgument} = renamer(fresh);
    const argumentId = (/** @type {string} */ id) => {
        const [, script, argument] = /** @type {RegExpMatchArray} */ (id.match(/^t\d+\.s(\d+)\..*?arg(\d+)$/));
        return defined[Number(script)]?.argumentIds[Number(argument)] ?? newArgument(id);
    };
    // A message is made by its name when the blocks are.
    const messageId = (/** @type {string} */ id) => known.get(ids.get(id) ?? '') ?? id;
    return {
        scripts: lowered[open].slice(defined.length).map(script => ({
            ...script,
            state: withIds(script.state, blockId, argumentId, messageId),
            refuse: (id, code, message, hint) => {
                script.refuse(original(id), code, message, hint);
                refuseFaults(ctx, book.faults);
            },
            advice: id => script.advice(original(id)),
            comments: script.comments.map(({block, text}) => ({block: blockId(block), text}))
        })),
        opcodes,
        messages: [...messages.keys()].filter(name => !known.has(name))
    };
};

module.exports = {lowerHere, parted, withIds};
