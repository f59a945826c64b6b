// @ts-check
// Everything that a drag can change, as it is or as fingerprints: to know whether a scene is as it was.

const {fingerprint} = require('./fingerprint');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {{vm: string, workspace: string, order: string, connections: string, undo: string, view: string, palette: string}} SceneState */

/**
 * The editor makes the parameters in the head of each definition anew whenever it draws it, under other ids.
 * @param {any} workspace the main workspace
 * @returns {(id: string) => string} what a block is called here: its id, or its place for such a parameter
 */
const namesIn = workspace => {
    const names = new Map();
    for (const head of workspace.getAllBlocks(false)) {
        if (head.type !== 'procedures_prototype') continue;
        for (const {name, connection} of head.inputList) {
            const parameter = connection?.targetBlock();
            if (parameter) names.set(parameter.id, `${head.id} ${name}`);
        }
    }
    return id => names.get(id) ?? id;
};

/**
 * @param {any} workspace the main workspace
 * @param {(id: string) => string} nameOf what blocks are called
 * @returns {any[]} every connection that can be found, in the order in which the editor's search meets them
 */
const connections = (workspace, nameOf) => workspace.connectionDBList.map((/** @type {any} */ base) =>
    seams().placesIn(base).map(([one, x, y]) => [nameOf(one.getSourceBlock().id), one.type, x, y]));

/**
 * @param {Ctx} ctx
 * @param {(id: string) => string} nameOf what blocks are called
 * @returns {string} the workspace as XML
 */
const program = ({SB, workspace}, nameOf) => {
    const xml = SB.Xml.workspaceToDom(workspace);
    for (const node of xml.querySelectorAll('[id]')) node.setAttribute('id', nameOf(node.getAttribute('id')));
    return SB.Xml.domToText(xml);
};

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
const sceneState = ctx => {
    const {vm, workspace} = ctx;
    const nameOf = namesIn(workspace);
    const flyout = workspace.getFlyout().getWorkspace();
    const drawn = [...workspace.getCanvas().querySelectorAll('[data-id]')].map(node => nameOf(node.getAttribute('data-id')));
    const text = (/** @type {any} */ value) => fingerprint(JSON.stringify(value));
    return {
        vm: text([vm.editingTarget.id, vm.editingTarget.blocks._blocks]),
        workspace: fingerprint(program(ctx, nameOf)),
        order: text(drawn),
        connections: text(connections(workspace, nameOf)),
        undo: text(seams().undoStacks(workspace).map(stack => stack.length)),
        view: viewOf(workspace),
        palette: `${viewOf(flyout)} ${text(flyout.getTopBlocks(true).map((/** @type {any} */ block) => block.type))}`
    };
};

module.exports = {sceneState};
