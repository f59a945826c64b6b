// @ts-check
// Keeps the blocks of all targets of the VM, and puts them back: much cheaper than loading the project again, and
// the editor then draws them as it draws a project that was just loaded.

/** Blocks are kept as the project was loaded, and as a scene of it begins. */
/** @typedef {'project' | 'scene'} Slot */
/** @typedef {{vm: any, editing: string, blocks: Map<string, {blocks: any, scripts: string[]}>}} Kept */

/** @type {Map<Slot, Kept>} */
const slots = new Map();

/**
 * @param {any} vm the virtual machine
 * @returns {any[]} its targets that are no clones
 */
const originals = vm => vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal);

/**
 * @param {any} vm the virtual machine, whose blocks are kept as they are now
 * @param {Slot} slot where
 */
const keepBlocks = (vm, slot) => {
    slots.set(slot, {
        vm,
        editing: vm.editingTarget.id,
        blocks: new Map(originals(vm).map(({id, blocks}) =>
            [id, {blocks: structuredClone(blocks._blocks), scripts: [...blocks._scripts]}]))
    });
};

/**
 * Puts blocks back, and goes back to the target that was being edited.
 * @param {any} vm the virtual machine
 * @param {Slot} slot which blocks
 * @returns {boolean} whether that could be done; false if the project has other targets now, and then nothing is done
 */
const restoreBlocks = (vm, slot) => {
    const targets = originals(vm);
    const kept = slots.get(slot);
    if (!kept || kept.vm !== vm) return false;
    if (targets.length !== kept.blocks.size || !targets.every(({id}) => kept.blocks.has(id))) return false;
    for (const {id, blocks} of targets) {
        const {blocks: old, scripts} = /** @type {{blocks: any, scripts: string[]}} */ (kept.blocks.get(id));
        blocks._blocks = structuredClone(old);
        blocks._scripts = [...scripts];
        blocks.resetCache();
    }
    if (vm.editingTarget.id !== kept.editing) vm.setEditingTarget(kept.editing);
    return true;
};

module.exports = {keepBlocks, restoreBlocks};
