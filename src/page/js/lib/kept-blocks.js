// @ts-check
// Keeps the blocks of all targets of the VM, and puts them back: much cheaper than loading the project again, and
// the editor then draws them as it draws a project that was just loaded.

/** @type {{vm: any, editing: string, blocks: Map<string, {blocks: any, scripts: string[]}>} | null} */
let kept = null;

/**
 * @param {any} vm the virtual machine
 * @returns {any[]} its targets that are no clones
 */
const originals = vm => vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal);

/** @param {any} vm the virtual machine, whose blocks are kept as they are now */
const keepBlocks = vm => {
    kept = {
        vm,
        editing: vm.editingTarget.id,
        blocks: new Map(originals(vm).map(({id, blocks}) =>
            [id, {blocks: structuredClone(blocks._blocks), scripts: [...blocks._scripts]}]))
    };
};

/**
 * @param {any} vm the virtual machine
 * @returns {boolean} whether its blocks are as they were kept; false if others were kept, and then nothing is done
 */
const restoreBlocks = vm => {
    const targets = originals(vm);
    const known = kept;
    if (!known || known.vm !== vm || vm.editingTarget.id !== known.editing) return false;
    if (targets.length !== known.blocks.size || !targets.every(({id}) => known.blocks.has(id))) return false;
    for (const {id, blocks} of targets) {
        const {blocks: old, scripts} = /** @type {{blocks: any, scripts: string[]}} */ (known.blocks.get(id));
        blocks._blocks = structuredClone(old);
        blocks._scripts = [...scripts];
        blocks.resetCache();
    }
    return true;
};

module.exports = {keepBlocks, restoreBlocks};
