// @ts-check
// The composite observation of the reference server: get_blocks_pseudocode and get_blocks_structure.

const {flush, requireEditor} = require('../../shared/lib/edit');
const {choicesKey, labelText} = require('../../shared/lib/choices');
const {referencePseudocode} = require('../lib/reference-pseudocode');
const {isTyped} = require('../../shared/lib/typed-value');
const {LIST, SCALAR} = require('../../shared/lib/variables');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** @type {(owner: any, type: string) => any[]} */
const variablesOf = (owner, type) => Object.values(owner.variables).filter(variable => variable.type === type);

/** @type {(a: {name: string}, b: {name: string}) => number} */
const byName = (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name));

/**
 * @param {any} target the editing target
 * @param {any} stage
 * @param {string} type kind of variable
 * @returns {{name: string, scope: 'sprite' | 'all', id: string}[]} those in scope, by name
 */
const scoped = (target, stage, type) => [
    ...(target.isStage ? [] : variablesOf(target, type).map(({name, id}) => ({name, scope: /** @type {const} */ ('sprite'), id}))),
    ...variablesOf(stage, type).map(({name, id}) => ({name, scope: /** @type {const} */ ('all'), id}))
].sort(byName);

/**
 * @param {any} workspace
 * @returns {(id: string, name: string) => Record<string, string[]> | null} the labels of a field's menu, commands included
 */
const menus = workspace => (id, name) => {
    const block = workspace.getBlockById(id);
    const field = block && block.getField(name);
    if (!field || typeof field.getOptions !== 'function' || isTyped(block.type)) return null;
    return {[choicesKey(name)]: field.getOptions(false).map((/** @type {any[]} */ [label]) => labelText(label))};
};

/** @type {(workspace: any, id: string) => {x: number, y: number} | null} */
const positionOf = (workspace, id) => {
    const block = workspace.getBlockById(id);
    if (!block) return null;
    const {x, y} = block.getRelativeToSurfaceXY();
    return {x, y};
};

/** @type {(workspace: any, id: string) => Record<string, number> | null} */
const screenBox = (workspace, id) => {
    const block = workspace.getBlockById(id);
    if (!block) return null;
    const {x, y, left, top, right, bottom, width, height} = seams().outline(block).getBoundingClientRect();
    return {x, y, left, top, right, bottom, width, height};
};

/**
 * @template T
 * @param {string[]} order
 * @param {(id: string) => T} info
 * @returns {Record<string, T>} by number, from "1"
 */
const byNumber = (order, info) => Object.fromEntries(order.map((id, at) => [String(at + 1), info(id)]));

/** @type {import('../../types/page').PageFn<{structure: boolean}, {data: any, numbering: import('../../types/composite').Numbering}>} */
module.exports = async (ctx, {structure}) => {
    requireEditor(ctx);
    // Edits by mouse may still be on their way to the VM.
    await flush();
    const {vm, workspace} = ctx;
    const target = vm.editingTarget;
    const stage = vm.runtime.getTargetForStage();
    const [variables, lists] = [SCALAR, LIST].map(type => scoped(target, stage, type));
    const names = (/** @type {{name: string}[]} */ entries) => [...new Set(entries.map(({name}) => name))];
    const text = referencePseudocode({
        scripts: target.blocks.getScripts(),
        block: id => (id ? target.blocks.getBlock(id) : null),
        choices: menus(workspace),
        names: {data_variable: {variables: names(variables)}, data_listcontents: {lists: names(lists)}}
    }, structure);
    const {pseudocode, order} = text;
    const numbering = {target: target.id, blocks: order};
    const {name: targetName} = target.sprite;
    const basics = (/** @type {string} */ id) => ({
        id, opcode: target.blocks.getBlock(id).opcode, position: positionOf(workspace, id), boundingBox: null
    });
    if (structure) {
        const info = (/** @type {string} */ id) => {
            const {parent, next, inputs, fields} = target.blocks.getBlock(id);
            return {...basics(id), screenBoundingBox: screenBox(workspace, id), parent, next, inputs, fields};
        };
        const idToBlock = Object.fromEntries(order.map(id => [id, info(id)]));
        return {data: {pseudocode, blocks: byNumber(order, info), idToBlock, targetName, isStage: target.isStage}, numbering};
    }
    const ids = (/** @type {{name: string, id: string}[]} */ entries) => Object.fromEntries(entries.map(({name, id}) => [name, id]));
    const bare = (/** @type {{name: string, scope: string}[]} */ entries) => entries.map(({name, scope}) => ({name, scope}));
    return {
        data: {
            pseudocode,
            idxToBlock: byNumber(order, basics),
            targetName,
            targetId: target.id,
            availableChoices: text.choices,
            availableTargets: vm.runtime.targets.filter((/** @type {any} */ each) => each.isOriginal)
                .map((/** @type {any} */ {id, isStage, sprite}) => ({id, name: sprite.name, isStage})),
            valueToIdMappings: {VARIABLE: ids(variables), LIST: ids(lists)},
            targetVariables: bare(variables),
            targetLists: bare(lists)
        },
        numbering
    };
};
