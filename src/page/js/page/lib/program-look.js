// @ts-check
// A look at the whole program, to be compared with another one.

const {flattened} = require('./program-changes');
const {caller} = require('../../shared/lib/variables');
const {workspaceView} = require('../../shared/lib/workspace-view');

/**
 * @param {any} target a sprite or the Stage
 * @returns {Record<string, string>} what it consists of, by part: values and places aside
 */
const partsOf = target => {
    const blocks = Object.values(target.blocks._blocks);
    const names = (/** @type {any[]} */ things) => JSON.stringify(things.map(({name}) => name));
    return {
        blocks: JSON.stringify(blocks.map((/** @type {any} */ {id, opcode, fields, inputs, next, parent, mutation}) =>
            [id, opcode, fields, inputs, next, parent, mutation])),
        variables: JSON.stringify(Object.values(target.variables).map((/** @type {any} */ {id, name, type}) => [id, name, type])),
        costumes: names(target.getCostumes()),
        sounds: names(target.getSounds())
    };
};

/**
 * @param {import('../../types/page').Ctx} ctx
 * @returns {import('./program-changes').Program} the program as it is now
 */
const programNow = ({vm, workspace}) => {
    const originals = vm.runtime.targets.filter((/** @type {any} */ one) => one.isOriginal);
    return {
        target: vm.editingTarget ? vm.editingTarget.id : '',
        blocks: workspace && vm.editingTarget ? flattened(workspaceView(workspace, caller({vm})).scripts) : [],
        targets: originals.map((/** @type {any} */ one) => ({id: one.id, name: one.getName(), parts: partsOf(one)}))
    };
};

module.exports = {programNow};
