// @ts-check
// Variables, lists and messages of the editing target.

const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** Blockly's names of the three kinds (ScratchBlocks constants). */
const SCALAR = '';
const LIST = 'list';
const BROADCAST = 'broadcast_msg';

/** @type {Record<string, string>} how to say each kind */
const KIND_NAMES = {[SCALAR]: 'variable', [LIST]: 'list', [BROADCAST]: 'message'};

/**
 * @param {any} workspace the main workspace
 * @param {string} type one of the three kinds
 * @returns {string[]} the names in scope, sorted
 */
const namesOf = (workspace, type) => workspace.getVariableMap().getVariablesOfType(type)
    .map(seams().variableName).sort();

/**
 * What the open target calls the variables or lists that it can reach (docs/PROJECT-TEXT.md, "Names"): no two are called the same.
 * The rules are those of src/notation/names.rs; what no form is left for is called by its id.
 * @param {Pick<Ctx, 'vm'>} ctx the page function's context
 * @param {string} type one of the three kinds
 * @returns {Map<string, {id: string, own: boolean}>} by form; of one id on both the target's own is meant
 */
const forms = ({vm}, type) => {
    const stage = vm.runtime.getTargetForStage();
    const target = vm.editingTarget;
    const numbered = (/** @type {any} */ owner) => {
        /** @type {Map<string, number>} */
        const counts = new Map();
        return Object.values(owner.variables).filter((/** @type {any} */ one) => one.type === type).map((/** @type {any} */ {id, name}) => {
            const number = (counts.get(name) || 0) + 1;
            counts.set(name, number);
            return {id, name, number, own: owner === target};
        });
    };
    const owners = target === stage ? [numbered(stage)] : [numbered(stage), numbered(target)];
    /** @type {Map<string, {id: string, own: boolean}>} */
    const found = new Map();
    for (const one of owners.flat().filter(({number}) => number === 1)) found.set(one.name, one);
    const named = new Set(found.values());
    for (const one of owners.reverse().flat().filter(other => !named.has(other))) {
        const form = one.number === 1 ? one.name : `${one.name} #${one.number}`;
        const whole = one.own ? form : `Stage's ${form}`;
        found.set(found.has(whole) ? one.id : whole, one);
    }
    return found;
};

/**
 * @param {Pick<Ctx, 'vm'>} ctx the page function's context
 * @returns {(model: any) => string} what a variable, list or message of the workspace is called
 */
const caller = ctx => {
    /** @type {Map<string, Map<string, string>>} */
    const known = new Map();
    return model => {
        const [type, id] = [model.type ?? model.getType(), model.getId()];
        if (type === BROADCAST) return seams().variableName(model);
        if (!known.has(type)) {
            const all = [...forms(ctx, type)].sort(([, a], [, b]) => Number(a.own) - Number(b.own));
            known.set(type, new Map(all.map(([form, one]) => [one.id, form])));
        }
        return known.get(type)?.get(id) ?? seams().variableName(model);
    };
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type one of the three kinds
 * @returns {string[]} what can be named, sorted
 */
const formsOf = (ctx, type) => (type === BROADCAST ? namesOf(ctx.workspace, type) : [...forms(ctx, type).keys()].sort());

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type one of the three kinds
 * @param {string} name what it is called, or the id
 * @returns {any} the variable; null when it is not in scope
 */
const find = (ctx, type, name) => {
    const models = ctx.workspace.getVariableMap().getVariablesOfType(type);
    const meant = type === BROADCAST ? undefined : forms(ctx, type).get(name);
    const model = meant && models.find((/** @type {any} */ one) => one.getId() === meant.id);
    // What was just made is not in the program yet.
    return model || models.find((/** @type {any} */ model) => seams().variableName(model) === name) ||
        models.find((/** @type {any} */ model) => model.getId() === name) || null;
};

/**
 * What the editor's own dialog does after "OK", without ticking the box that shows the variable on the stage: that comes late, after a timer, and covers the picture.
 * @param {Ctx} ctx the page function's context
 * @param {string} name of the new variable, free in its scope
 * @param {string} type one of the three kinds
 * @param {boolean} isLocal whether only the editing target has it
 * @returns {any} the new variable
 */
const create = ({SB, workspace}, name, type, isLocal) => seams().createVariable(SB, workspace, {name, type, isLocal});

module.exports = {BROADCAST, KIND_NAMES, LIST, SCALAR, caller, create, find, forms, formsOf, namesOf};
