// @ts-check
// Adds a block as a script in the page could: straight into the VM, or through the workspace.

/** @type {import('../../../src/page/js/types/page').PageFn<{through: 'vm' | 'workspace'}, null>} */
module.exports = (ctx, {through}) => {
    if (through === 'vm') {
        const block = {id: 'planted', opcode: 'looks_show', inputs: {}, fields: {}, next: null, parent: null, topLevel: true, shadow: false, x: 9, y: 9};
        ctx.vm.editingTarget.blocks._blocks.planted = block;
        ctx.vm.editingTarget.blocks._scripts.push('planted');
    } else {
        ctx.workspace.newBlock('looks_hide').initSvg();
    }
    return null;
};
