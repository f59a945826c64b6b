// @ts-check
// The reference server's text of a sprite's blocks, from the VM's own blocks. Pure.
// It differs from lib/pseudocode.js, which is ours: only catalogued types get numbers, empty slots and menus
// are shown by other rules, and scripts stand in the VM's order.

const {OPCODES} = require('./reference-catalogue');

/** @typedef {{name: string, value: any, id?: string}} VmField */
/** @typedef {{name: string, block: string | null, shadow: string | null}} VmInput */
/** @typedef {{id: string, opcode: string, fields: Record<string, VmField>, inputs: Record<string, VmInput>, next: string | null, shadow: boolean}} VmBlock */
/**
 * What the text is made from.
 * @typedef {object} Source
 * @property {string[]} scripts first block of each script, in the VM's order
 * @property {(id: string | null) => VmBlock | null | undefined} block a block by its id
 * @property {(id: string, field: string) => Record<string, string[]> | null} choices labels that a field's menu shows
 * @property {Record<string, Record<string, string[]>>} names choices of the types that have no menu, by type
 */

/** Slots that stand in the text even when the VM has nothing of them. */
const ALWAYS = /** @type {Record<string, string[]>} */ ({
    control_repeat_until: ['CONDITION'], control_wait_until: ['CONDITION'], control_if: ['CONDITION'],
    control_if_else: ['CONDITION'], operator_and: ['OPERAND1', 'OPERAND2'], operator_or: ['OPERAND1', 'OPERAND2'],
    operator_not: ['OPERAND']
});

/** Branches that stand in the text even when they are empty. */
const BRANCHES = /** @type {Record<string, string[]>} */ ({
    control_forever: ['SUBSTACK'], control_if: ['SUBSTACK'], control_if_else: ['SUBSTACK', 'SUBSTACK2']
});

/** @type {(name: string) => boolean} */
const isBranch = name => name.startsWith('SUBSTACK');

/** @type {(choices: Record<string, string[]> | null | undefined) => string} */
const listed = choices => (choices ? ` {choices: ${JSON.stringify(choices)}}` : '');

/** @type {(block: VmBlock) => VmField | undefined} */
const primary = block => Object.values(block.fields)[0];

/** @type {(block: VmBlock) => string} what a slot holds that has no number: its value and type */
const valueText = block => {
    const field = primary(block);
    if (!field || field.value === null || field.value === undefined) return `(${block.opcode})`;
    const value = block.opcode === 'text' ? `"${field.value}"` : String(field.value);
    return `${value} (${block.opcode})`;
};

/** One text in the making. */
class Writer {
    /**
     * @param {Source} source
     * @param {boolean} structure whether it is the text of get_blocks_structure
     */
    constructor(source, structure) {
        this.source = source;
        this.structure = structure;
        /** @type {string[]} */
        this.lines = [];
        /** @type {string[]} ids in the order of the numbers */
        this.order = [];
        /** @type {Record<string, string[]>} all choices shown, by their key */
        this.choices = {};
    }

    /** @param {Record<string, string[]> | null | undefined} choices */
    shown(choices) {
        Object.assign(this.choices, choices);
        return listed(choices);
    }

    /**
     * @param {string | null} first
     * @param {string} indent
     * @param {boolean} top whether it starts a script
     */
    stack(first, indent, top) {
        let block = this.source.block(first);
        for (let at = 0; block; at += 1) {
            if (OPCODES.has(block.opcode)) this.block(block, indent, top && at === 0, false);
            block = this.source.block(block.next);
        }
    }

    /**
     * @param {VmBlock} block
     * @param {string} indent
     * @param {boolean} top
     * @param {boolean} nested whether it sits in a value slot
     */
    block(block, indent, top, nested) {
        this.order.push(block.id);
        const tail = this.structure ? ` [ID: ${block.id}]` : '';
        this.lines.push(`${indent}#${this.order.length} ${top ? '[top] ' : ''}${block.opcode}${tail}`);
        for (const field of Object.values(block.fields)) this.field(block, field, indent);
        const names = Object.keys(block.inputs).filter(name => !isBranch(name));
        const missing = (ALWAYS[block.opcode] || []).filter(name => !names.includes(name));
        for (const name of [...names, ...missing]) this.input(block, name, indent, nested);
        for (const name of this.branches(block)) this.branch(block, name, indent);
    }

    /**
     * @param {VmBlock} block
     * @param {VmField} field
     * @param {string} indent
     */
    field(block, field, indent) {
        const fixed = this.structure ? null : this.source.names[block.opcode];
        const choices = fixed || this.source.choices(block.id, field.name);
        this.lines.push(`${indent}- field ${field.name}: ${JSON.stringify(field.value)}${this.shown(choices)}`);
    }

    /**
     * @param {VmBlock} block
     * @param {string} name
     * @param {string} indent
     * @param {boolean} nested whether the block sits in a value slot
     */
    input(block, name, indent, nested) {
        const label = `${indent}- input ${name}:`;
        const inside = this.source.block(block.inputs[name] ? block.inputs[name].block : null);
        if (!inside) {
            this.lines.push(label);
        } else if (OPCODES.has(inside.opcode) && !inside.shadow) {
            this.lines.push(label);
            this.block(inside, `${indent}  `, false, true);
        } else {
            const field = primary(inside);
            const silent = !field || (this.structure && !nested);
            const choices = silent ? null : this.source.choices(inside.id, field.name);
            this.lines.push(`${label} ${valueText(inside)}${this.shown(choices)}`);
        }
    }

    /**
     * @param {VmBlock} block
     * @returns {string[]} the branches to show, first one first
     */
    branches(block) {
        const held = Object.keys(block.inputs).filter(name => isBranch(name) && block.inputs[name].block);
        const always = this.structure ? [] : BRANCHES[block.opcode] || [];
        return [...new Set([...held, ...always])].sort();
    }

    /**
     * @param {VmBlock} block
     * @param {string} name
     * @param {string} indent
     */
    branch(block, name, indent) {
        this.lines.push(`${indent}- ${name}:`);
        this.stack(block.inputs[name] ? block.inputs[name].block : null, `${indent}  `, false);
    }
}

/**
 * @param {Source} source
 * @param {boolean} [structure] whether to write the text of get_blocks_structure
 * @returns {{pseudocode: string, order: string[], choices: Record<string, string[]>}} the text, block ids in the order of
 *     their numbers, and the choices that it shows
 */
const referencePseudocode = (source, structure = false) => {
    const writer = new Writer(source, structure);
    for (const id of source.scripts) {
        const first = source.block(id);
        // The body of a definition goes with it; default blocks that were left alone are no scripts.
        if (!first || first.shadow || first.opcode === 'procedures_definition') continue;
        const before = writer.lines.length;
        writer.stack(id, '', true);
        if (writer.lines.length > before) writer.lines.push('');
    }
    return {pseudocode: writer.lines.join('\n'), order: writer.order, choices: writer.choices};
};

module.exports = {referencePseudocode};
