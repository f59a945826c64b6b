// @ts-check
// Which block hangs on which in the sprite being edited, as the VM has it.

/** @type {import('../types/page').PageFn<null, {blocks: string[], links: import('../lib/drag-relation').Link[]}>} */
module.exports = ({vm}) => {
    const blocks = vm.editingTarget.blocks._blocks;
    /** @type {import('../lib/drag-relation').Link[]} */
    const links = [];
    for (const [id, block] of Object.entries(blocks)) {
        if (block.next) links.push({parent: id, input: null, child: block.next});
        for (const input of Object.values(/** @type {Record<string, any>} */ (block.inputs))) {
            if (input.block) links.push({parent: id, input: input.name, child: input.block});
        }
    }
    return {blocks: Object.keys(blocks), links};
};
