// @ts-check
// Adds scripts in notation to the open target, in the workspace that people see, as one step of its undo.

const {edit, placeBelow, requireEditor} = require('../lib/edit');
const {appendScript} = require('../lib/held-blocks');
const {lowerHere, parted} = require('../lib/live-script');
const {flatten} = require('../lib/lower-project');
const {loadExtensions} = require('../lib/needed-extensions');
const {listed, nearest} = require('../lib/nearest');
const {loadParser} = require('../lib/notation-parser');
const {KINDS} = require('../lib/placement');
const {BROADCAST} = require('../lib/variables');

/**
 * @typedef {import('../types/page').Ctx} Ctx
 * @typedef {import('../types/notation').Lowered} Lowered
 * @typedef {import('../types/notation').State} State
 * @typedef {import('../types/composite').EditArgs & {script: string, targetBlockIndex?: number | null,
 *     placement?: import('../types/composite').Placement | null, warp: boolean,
 *     catalogue: import('../types/notation').Catalogue}} Args
 */

/**
 * The editor keeps what it was given where it does not take what it is given.
 * @param {Ctx} ctx the page function's context
 * @param {Lowered} script what was asked for
 */
const requireTaken = ({workspace}, {state, fail}) => {
    for (const {id, type, parent, input} of flatten(state)) {
        const block = workspace.getBlockById(id);
        if (!block) fail('block_dropped', `the editor did not take the block ${type}`);
        if (parent && (block.getParent() || {}).id !== parent) fail('block_refused', `the editor did not let ${type} into ${input}`, 'a slot may hold a block of the wrong kind');
    }
    requireValues(workspace, state, fail);
};

/**
 * @param {any} workspace the main workspace
 * @param {State} state a block with all below and inside of it
 * @param {Lowered['fail']} fail refuses with the script's line
 */
const requireValues = (workspace, {id, type, fields, inputs, next}, fail) => {
    const block = workspace.getBlockById(id);
    for (const [name, wanted] of Object.entries(fields ?? {})) {
        const field = block.getField(name);
        if (typeof wanted !== 'string' || !field || type === 'data_variable' || type === 'data_listcontents') continue;
        if (typeof field.getOptions === 'function') {
            const options = field.getOptions(false).filter((/** @type {any} */ [, value]) => typeof value === 'string');
            const labels = options.map((/** @type {any} */ [label]) => String(label));
            if (!options.some((/** @type {any} */ [, value]) => value === wanted)) {
                const near = nearest(wanted, labels);
                fail('invalid_choice', `${name} of ${type} does not offer "${wanted}"; it offers: ${listed(labels)}`, near ? `did you mean "${near}"?` : undefined);
            }
        }
        const held = String(field.getValue());
        if (held !== wanted && !(wanted.trim() && Number(held) === Number(wanted))) {
            fail('invalid_value', `${name} of ${type} does not hold "${wanted}": it shows "${held}"`);
        }
    }
    for (const {block: inner, shadow} of Object.values(inputs ?? {})) {
        // What lies below a reporter is not there until that leaves.
        const child = inner ?? shadow;
        if (child) requireValues(workspace, child, fail);
    }
    if (next) requireValues(workspace, next.block, fail);
};

/**
 * Makes messages that are new and gives their blocks the ids.
 * @param {any} workspace the main workspace
 * @param {string[]} names
 */
const makeMessages = (workspace, names) => {
    for (const name of names) {
        workspace.getVariableMap().createVariable(name, BROADCAST, `t0.broadcast.${encodeURIComponent(name)}`);
    }
};

/** @type {import('../types/page').PageFn<Args, import('../types/composite').Edited>} */
module.exports = async (ctx, args) => {
    requireEditor(ctx);
    const texts = parted(args.script, !args.warp);
    if (!texts.length) ctx.fail('bad_script', 'the script is empty', 'write one block a line, such as: move (10) steps');
    const connects = typeof args.targetBlockIndex === 'number';
    if (connects && texts.length > 1) {
        ctx.fail('bad_script', `line ${texts[1].line}: a second script begins here, and only one can be connected`, 'write it without empty lines, or add the others by calls of their own');
    }
    const {scripts, opcodes, messages} = lowerHere(ctx, {catalogue: args.catalogue, notation: await loadParser()}, texts);
    const extensions = await loadExtensions(ctx, args.catalogue.extensions, opcodes);
    return edit(ctx, args, blockAt => {
        const target = connects ? blockAt(/** @type {number} */ (args.targetBlockIndex)) : null;
        makeMessages(ctx.workspace, messages);
        const firsts = scripts.map(script => {
            const first = appendScript(ctx.SB, ctx.workspace, script);
            requireTaken(ctx, script);
            for (const {block, text} of script.comments) ctx.workspace.getBlockById(block).setCommentText(text);
            if (!target) placeBelow(ctx.workspace, first);
            return first;
        });
        if (target) {
            const {kind, inputName} = args.placement ?? {kind: /** @type {const} */ ('stack_after'), inputName: null};
            if ((kind === 'statement_into' || kind === 'value_into') && !inputName) {
                ctx.fail('missing_argument', `placement.inputName is required for ${kind}`, 'name a slot of the target block');
            }
            const {displaced} = KINDS[kind](ctx, firsts[0], target, inputName || null);
            if (displaced) placeBelow(ctx.workspace, displaced);
        }
        const placed = scripts.flatMap(({state}) => flatten(state));
        return indexOf => ({
            indexes: firsts.map(indexOf),
            blocks: placed.filter(({id}) => indexOf({id}) !== null).length,
            connected: connects,
            ...(messages.length ? {messages} : {}),
            ...(extensions.length ? {extensions} : {})
        });
    });
};
