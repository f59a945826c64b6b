// @ts-check
// Adds scripts in notation to the open target, in the workspace that people see, as one step of its undo.

const {seams} = require('../../shared/lib/editor-seams');
const {edit, freePlace, placeBelow, requireEditor} = require('../../shared/lib/edit');
const {appendScript} = require('../../notation/lib/held-blocks');
const {lowerHere, parted} = require('../lib/live-script');
const {flatten} = require('../../notation/lib/lower-project');
const {loadExtensions} = require('../../notation/lib/needed-extensions');
const {listed, nearest} = require('../../shared/lib/nearest');
const {loadParser} = require('../../notation/lib/notation-parser');
const {KINDS, requireSlotName} = require('../lib/placement');
const {BROADCAST} = require('../../shared/lib/variables');

/**
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').State} State
 * @typedef {(code: string, message: string, hint?: string) => void} Fault
 * @typedef {import('../../types/composite').EditArgs & {script: string, targetBlockIndex?: number | null,
 *     placement?: import('../../types/composite').Placement | null, warp: boolean,
 *     catalogue: import('../../types/notation').Catalogue}} Args
 */

/**
 * The editor drops what it does not take, or keeps what it had, without a word.
 * @param {any} workspace the main workspace
 * @param {State} state a block with all below and inside of it
 * @param {Lowered['refuse']} refuse ends the call with the block's line
 * @param {{id: string, input: string} | null} holder the block that it was to be connected to, and where
 */
const requireTaken = (workspace, state, refuse, holder) => {
    const {id, type, inputs, next} = state;
    const block = workspace.getBlockById(id);
    if (!block) refuse(id, 'block_dropped', `the editor did not take the block ${type}`);
    if (holder && (block.getParent() || {}).id !== holder.id) {
        refuse(id, 'block_refused', `the editor did not let ${type} into ${holder.input}`, 'a slot may hold a block of the wrong kind');
    }
    requireValues(block, state, refuse);
    for (const [input, {block: inner, shadow}] of Object.entries(inputs ?? {})) {
        // What lies below a reporter is not there until that leaves.
        const child = inner ?? shadow;
        if (child) requireTaken(workspace, child, refuse, {id, input});
    }
    if (next) requireTaken(workspace, next.block, refuse, {id, input: 'next'});
};

/**
 * @param {any} block of the workspace
 * @param {State} state what it was made of
 * @param {Lowered['refuse']} refuse ends the call with the block's line
 */
const requireValues = (block, {id, type, fields}, refuse) => {
    /** @type {Fault} */
    const fail = (code, message, hint) => refuse(id, code, message, hint);
    for (const [name, wanted] of Object.entries(fields ?? {})) {
        const field = block.getField(name);
        // Getters of variables are loaded from XML, and name what is declared.
        if (typeof wanted !== 'string' || !field || wanted.startsWith('<field ')) continue;
        if (typeof field.getOptions === 'function') requireOffered(field, name, type, wanted, fail);
        const held = String(field.getValue());
        if (held !== wanted && !(wanted.trim() && Number(held) === Number(wanted))) {
            fail('invalid_value', `${name} of ${type} does not hold "${wanted}": it shows "${held}"`);
        }
    }
};

/**
 * @param {any} field a dropdown
 * @param {string} name its name
 * @param {string} type of its block
 * @param {string} wanted the value
 * @param {Fault} fail ends the call with the block's line
 */
const requireOffered = (field, name, type, wanted, fail) => {
    /** @type {[unknown, unknown][]} */
    const options = field.getOptions(false).filter((/** @type {any} */ [, value]) => typeof value === 'string');
    if (options.some(([, value]) => value === wanted)) return;
    const labels = options.map(([label]) => String(label));
    const near = nearest(wanted, labels);
    fail('invalid_choice', `${name} of ${type} does not offer "${wanted}"; it offers: ${listed(labels)}`, near ? `did you mean "${near}"?` : undefined);
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

/** @type {import('../../types/page').PageFn<Args, import('../../types/composite').Edited>} */
module.exports = async (ctx, args) => {
    requireEditor(ctx);
    const texts = parted(args.script, !args.warp);
    if (!texts.length) ctx.fail('bad_script', 'the script is empty', 'write one block a line, such as: move (10) steps');
    const connects = typeof args.targetBlockIndex === 'number';
    if (connects && texts.length > 1) {
        ctx.fail('bad_script', `line ${texts[1].lines[0]}: a second script begins here, and only one can be connected`, 'write it without empty lines, or add the others by calls of their own');
    }
    const {scripts, opcodes, messages} = lowerHere(ctx, {catalogue: args.catalogue, notation: await loadParser()}, texts);
    const extensions = await loadExtensions(ctx, args.catalogue.extensions, opcodes);
    return edit(ctx, args, blockAt => {
        const target = connects ? blockAt(/** @type {number} */ (args.targetBlockIndex)) : null;
        makeMessages(ctx.workspace, messages);
        const firsts = scripts.map(script => {
            // Anywhere else it would push other scripts aside.
            seams().drawQueued(ctx.SB, ctx.workspace);
            const state = {...script.state, ...freePlace(ctx.workspace)};
            const first = appendScript(ctx.SB, ctx.workspace, {...script, state});
            requireTaken(ctx.workspace, script.state, script.refuse, null);
            for (const {block, text} of script.comments) ctx.workspace.getBlockById(block).setCommentText(text);
            return first;
        });
        if (target) {
            const {kind, inputName} = args.placement ?? {kind: /** @type {const} */ ('stack_after'), inputName: null};
            requireSlotName(ctx, target, kind, inputName);
            const {displaced} = KINDS[kind](ctx, firsts[0], target, inputName || null);
            if (displaced) placeBelow(ctx.workspace, displaced);
        }
        // Comments find their place when their blocks are drawn; later it would be a step of its own.
        seams().drawQueued(ctx.SB, ctx.workspace);
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
