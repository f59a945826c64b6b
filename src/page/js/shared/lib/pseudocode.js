// @ts-check
// Blocks as numbered text (paper, appendix F). Pure: a WorkspaceView in, text out.

/** @typedef {import('../../types/composite').BlockView} BlockView */
/** @typedef {import('../../types/composite').FieldView} FieldView */
/** @typedef {import('../../types/composite').InputView} InputView */

/**
 * Names and values are strangers' words: one with a line break must not look like a line of the program.
 * @param {string} text a name or a value
 * @returns {string} the same, quoted where it could be taken for something else
 */
const plain = text => (/[\u0000-\u001f\u007f\u2028\u2029"\\]/.test(text) ? JSON.stringify(text) : text);

/**
 * @param {string} name in a list with commas between
 * @returns {string} the same, so that it can't pass for two
 */
const among = name => (name.includes(',') ? JSON.stringify(name) : plain(name));

/** Dropdowns of the project's own names, which have lists of their own. */
const LISTED = ['VARIABLE', 'LIST', 'BROADCAST_OPTION'];

/**
 * Notes what a dropdown offers. It is told once, however many blocks have it: on each block it was a third of the text.
 * @param {WorkspaceLines} out where it is noted
 * @param {string} opcode of the block that has the field
 * @param {FieldView} field a field, perhaps with choices
 */
const noteChoices = (out, opcode, {name, choices}) => {
    if (!choices || LISTED.includes(name)) return;
    const lists = out.choices.get(name) || new Map();
    out.choices.set(name, lists.set(JSON.stringify(choices), opcode));
};

/**
 * @param {WorkspaceLines['choices']} choices as they were noted
 * @returns {string[]} a line a dropdown; where one name stands for several, with the block that has it
 */
const choiceLines = choices => [...choices].sort().flatMap(([name, lists]) =>
    [...lists].map(([list, opcode]) => `${name}${lists.size > 1 ? ` (${opcode})` : ''}: ${list}`));

/**
 * @param {WorkspaceLines} out where its choices are noted
 * @param {NonNullable<InputView['shadow']>} shadow a slot's default block
 * @returns {string} its value and type
 */
const shadowText = (out, {opcode, field}) => {
    if (!field) return `(${opcode})`;
    noteChoices(out, opcode, field);
    return `${opcode === 'text' ? JSON.stringify(field.value) : plain(field.value)} (${opcode})`;
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
        out.lines.push(input.shadow ? `${label} ${shadowText(out, input.shadow)}` : label);
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
            noteChoices(out, block.opcode, field);
            out.lines.push(`${indent}- field ${field.name}: ${JSON.stringify(field.value)}`);
        }
        for (const input of block.inputs) writeInput(out, input, indent);
    });
};

/** @typedef {{lines: string[], ids: string[], choices: Map<string, Map<string, string>>}} WorkspaceLines */

/**
 * Every script is followed by an empty line; comments that belong to no block come last.
 * @param {import('../../types/composite').WorkspaceView} view the editing target's blocks
 * @returns {{pseudocode: string, ids: string[], choices: string[]}} the text, the block ids in the order of their
 *     indexes, and what the dropdowns in it offer
 */
const pseudocode = view => {
    /** @type {WorkspaceLines} */
    const out = {lines: [], ids: [], choices: new Map()};
    for (const script of view.scripts) {
        writeStack(out, script, '', true);
        out.lines.push('');
    }
    for (const comment of view.comments) out.lines.push(`[comment] ${JSON.stringify(comment)}`, '');
    return {pseudocode: out.lines.join('\n'), ids: out.ids, choices: choiceLines(out.choices)};
};

/**
 * @param {import('../../types/composite').Scoped[]} entries variables or lists
 * @returns {string} one line each
 */
const scopedText = entries =>
    (entries.length ? entries.map(({name, scope, value, items, shown}) => [
        `name: ${among(name)}`, `scope: ${scope}`,
        ...(value === undefined ? [] : [`value: ${among(value)}`]), ...(items === undefined ? [] : [`items: ${items}`]),
        ...(shown ? ['shown on the stage'] : [])
    ].join(', ')).join('\n') : 'None');

/**
 * @param {import('../../types/composite').TargetSize} target a sprite or the Stage
 * @returns {string} its name, and how many blocks it has
 */
const sized = ({name, blocks}) => `${among(name)} (${blocks} ${blocks === 1 ? 'block' : 'blocks'})`;

/**
 * @param {Omit<import('../../types/composite').CompositeObservation, 'text'>} observation what is known
 * @returns {string} the observation under the paper's headings
 */
const observationText = observation => [
    '## Current Editing Target', plain(observation.target.name), '',
    '## Target Variables In Scope', scopedText(observation.variables), '',
    '## Target Lists In Scope', scopedText(observation.lists), '',
    '## Messages', observation.broadcasts.map(among).join(', ') || 'None', '',
    '## All Available Targets', observation.targets.map(sized).join(', '), '',
    '## Costumes', observation.costumes.map(name => `${among(name)}${name === observation.costume ? ' (worn)' : ''}`).join(', '), '',
    '## Sounds', observation.sounds.map(among).join(', ') || 'None', '',
    '## Dropdown Choices', observation.choices.join('\n') || 'None', '',
    '## Blocks Pseudocode', observation.pseudocode || 'None'
].join('\n');

module.exports = {pseudocode, observationText};
