// @ts-check
// Blocks as numbered text (paper, appendix F). Pure: a WorkspaceView in, text out.

/** @typedef {import('../types/composite').BlockView} BlockView */
/** @typedef {import('../types/composite').FieldView} FieldView */
/** @typedef {import('../types/composite').InputView} InputView */

/**
 * @param {FieldView} field a field with its choices
 * @returns {string} ` {choices: …}`, or nothing when anything can be typed
 */
const choices = field =>
    (field.choices ? ` {choices: ${JSON.stringify({[field.choicesKey]: field.choices})}}` : '');

/**
 * @param {NonNullable<InputView['shadow']>} shadow a slot's default block
 * @returns {string} its value and type
 */
const shadowText = ({opcode, field}) => {
    if (!field) return `(${opcode})`;
    const value = opcode === 'text' ? `"${field.value}"` : field.value;
    return `${value} (${opcode})${choices(field)}`;
};

/**
 * @param {WorkspaceLines} out where lines go
 * @param {InputView} input a slot
 * @param {string} indent of the block it belongs to
 */
const writeInput = (out, input, indent) => {
    const label = input.kind === 'statement' ? `${indent}- ${input.name}:` : `${indent}- input ${input.name}:`;
    if (input.blocks.length) {
        out.lines.push(label);
        writeStack(out, input.blocks, `${indent}  `, false);
    } else {
        out.lines.push(input.shadow ? `${label} ${shadowText(input.shadow)}` : label);
    }
};

/**
 * @param {WorkspaceLines} out where lines go
 * @param {BlockView[]} blocks from top to bottom
 * @param {string} indent of these blocks
 * @param {boolean} top whether the first one starts a script
 */
const writeStack = (out, blocks, indent, top) => {
    blocks.forEach((block, at) => {
        out.ids.push(block.id);
        out.lines.push(`${indent}#${out.ids.length} ${top && at === 0 ? '[top] ' : ''}${block.opcode}`);
        if (block.comment !== null) out.lines.push(`${indent}- comment: ${JSON.stringify(block.comment)}`);
        if (block.procedure) {
            const {proccode, argumentNames, warp} = block.procedure;
            const more = JSON.stringify({arguments: argumentNames, warp});
            out.lines.push(`${indent}- procedure: ${JSON.stringify(proccode)} ${more}`);
        }
        for (const field of block.fields) {
            out.lines.push(`${indent}- field ${field.name}: ${JSON.stringify(field.value)}${choices(field)}`);
        }
        for (const input of block.inputs) writeInput(out, input, indent);
    });
};

/** @typedef {{lines: string[], ids: string[]}} WorkspaceLines */

/**
 * Every script is followed by an empty line; comments that belong to no block come last.
 * @param {import('../types/composite').WorkspaceView} view the editing target's blocks
 * @returns {{pseudocode: string, ids: string[]}} the text, and the block ids in the order of their indexes
 */
const pseudocode = view => {
    /** @type {WorkspaceLines} */
    const out = {lines: [], ids: []};
    for (const script of view.scripts) {
        writeStack(out, script, '', true);
        out.lines.push('');
    }
    for (const comment of view.comments) out.lines.push(`[comment] ${JSON.stringify(comment)}`, '');
    return {pseudocode: out.lines.join('\n'), ids: out.ids};
};

/**
 * @param {import('../types/composite').Scoped[]} entries variables or lists
 * @returns {string} one line each
 */
const scopedText = entries =>
    (entries.length ? entries.map(({name, scope}) => `name: ${name}, scope: ${scope}`).join('\n') : 'None');

/**
 * @param {Omit<import('../types/composite').CompositeObservation, 'text'>} observation what is known
 * @returns {string} the observation under the paper's headings
 */
const observationText = observation => [
    '## Current Editing Target', observation.target.name, '',
    '## Target Variables In Scope', scopedText(observation.variables), '',
    '## Target Lists In Scope', scopedText(observation.lists), '',
    '## All Available Targets', observation.targets.map(target => target.name).join(', '), '',
    '## Blocks Pseudocode', observation.pseudocode || 'None'
].join('\n');

module.exports = {pseudocode, observationText};
