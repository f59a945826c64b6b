// @ts-check
// Everything that a drag can change, as it is or as fingerprints: to know whether a scene is as it was.

const {fingerprint} = require('./fingerprint');

/** @typedef {import('../types/page').Ctx} Ctx */
/** @typedef {{vm: string, workspace: string, order: string, connections: string, undo: string, view: string, palette: string}} SceneState */

/**
 * @param {any} workspace the main workspace
 * @returns {any[]} every connection that can be found, in the order in which the editor's search meets them
 */
const connections = workspace => workspace.connectionDBList.map((/** @type {any} */ base) =>
    base.connections.map((/** @type {any} */ one) => [one.getSourceBlock().id, one.type, one.x, one.y]));

/**
 * @param {any} workspace a workspace
 * @returns {string} where its blocks are drawn and where it believes to be scrolled to, to a thousandth of a pixel
 */
const viewOf = workspace =>
    [workspace.getCanvas().getAttribute('transform'), workspace.scrollX, workspace.scrollY].join(' ')
        .replace(/-?\d+\.\d+/g, number => String(Math.round(Number(number) * 1000) / 1000));

/**
 * @param {Ctx} ctx the page function's context
 * @returns {SceneState} a text for each thing
 */
const sceneState = ({SB, vm, workspace}) => {
    const flyout = workspace.getFlyout().getWorkspace();
    const drawn = [...workspace.getCanvas().querySelectorAll('[data-id]')].map(node => node.getAttribute('data-id'));
    const text = (/** @type {any} */ value) => fingerprint(JSON.stringify(value));
    return {
        vm: text([vm.editingTarget.id, vm.editingTarget.blocks._blocks]),
        workspace: fingerprint(SB.Xml.domToText(SB.Xml.workspaceToDom(workspace))),
        order: text(drawn),
        connections: text(connections(workspace)),
        undo: text([workspace.getUndoStack().length, workspace.getRedoStack().length]),
        view: viewOf(workspace),
        palette: `${viewOf(flyout)} ${text(flyout.getTopBlocks(true).map((/** @type {any} */ block) => block.type))}`
    };
};

module.exports = {sceneState};
