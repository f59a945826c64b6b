// @ts-check
// Which block hangs on which in the sprite being edited, what the blocks are, and where scripts lie, as the VM has it.

/** @type {import('../../types/page').PageFn<null, {blocks: string[], links: import('../lib/drag-relation').Link[],
 *   tops: Record<string, [number, number]>, opcodes: Record<string, string>, variables: Record<string, string>}>} */
module.exports = ({vm}) => {
    const blocks = vm.editingTarget.blocks._blocks;
    /** @type {import('../lib/drag-relation').Link[]} */
    const links = [];
    /** @type {Record<string, [number, number]>} */
    const tops = {};
    /** @type {Record<string, string>} */
    const opcodes = {};
    /** @type {Record<string, string>} */
    const variables = {};
    for (const [id, block] of Object.entries(blocks)) {
        opcodes[id] = block.opcode;
        if (block.fields.VARIABLE) variables[id] = String(block.fields.VARIABLE.value);
        // The older editor has texts of numbers here.
        if (block.topLevel) tops[id] = [Number(block.x), Number(block.y)];
        if (block.next) links.push({parent: id, input: null, child: block.next});
        for (const input of Object.values(/** @type {Record<string, any>} */ (block.inputs))) {
            if (input.block) links.push({parent: id, input: input.name, child: input.block});
        }
    }
    return {blocks: Object.keys(blocks), links, tops, opcodes, variables};
};
