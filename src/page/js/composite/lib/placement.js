// @ts-check
// Connecting blocks. Blockly hangs a displaced block under the last open end that it finds, which turns
// T,N plus S1,S2 into T,S1,N,S2; here every stack is taken apart and put together in its own order.

const {defaultBlock, slotAround} = require('../../shared/lib/default-block');
const {STATEMENT, VALUE, slots, stackFrom} = require('../../shared/lib/workspace-view');
const {listed, nearest} = require('../../shared/lib/nearest');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/**
 * @param {any} block a block
 * @returns {any} the last block of the stack that starts with it
 */
const tailOf = block => stackFrom(block).at(-1);

/**
 * Refuses a pair of connections that the editor would not let a person join.
 * @param {Ctx} ctx the page function's context
 * @param {any} above the connection of the block above, or of the slot
 * @param {any} below the connection of the block that goes there
 */
const requireFit = (ctx, above, below) => {
    if (seams().fits(ctx.workspace, above, below)) return;
    const [parent, child] = [above.getSourceBlock().type, below.getSourceBlock().type];
    ctx.fail('connection_refused', `${child} does not fit there on ${parent}`,
        'a boolean slot takes only boolean blocks, and a stack takes only stack blocks');
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} block the block that must have a top
 * @param {string} role how to name it
 */
const requireTop = (ctx, block, role) => {
    if (!block.previousConnection) {
        ctx.fail('connection_mismatch', `${role} ${block.type} can't have a block above it or around it`,
            block.outputConnection ? 'a reporter goes into a slot: use value_into' :
                'a hat block starts a script: make it the target, with kind stack_after');
    }
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} block the block that must have an open bottom
 * @param {string} role how to name it
 */
const requireBottom = (ctx, block, role) => {
    if (!block.nextConnection) {
        ctx.fail('connection_mismatch', `${role} ${block.type} can't have a block below it`,
            block.outputConnection ? 'a reporter goes into a slot: use value_into' : 'it ends its stack');
    }
};

/**
 * Refuses a placement into a slot that does not say which.
 * @param {Ctx} ctx the page function's context
 * @param {any} target the block that has the slots
 * @param {string} kind of the placement
 * @param {string | null | undefined} name the slot's
 */
const requireSlotName = (ctx, target, kind, name) => {
    if (name || (kind !== 'statement_into' && kind !== 'value_into')) return;
    ctx.fail('missing_argument', `placement.inputName is required for ${kind}`,
        `the slots of ${target.type} are ${listed(slots(target).map(slot => slot.name))}`);
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} block the block whose slot is meant
 * @param {string} name the slot's name as agents see it
 * @param {number} type Blockly's type of the slot's connection
 * @returns {any} the slot
 */
const slotOf = (ctx, block, name, type) => {
    const all = slots(block);
    const slot = all.find(entry => entry.name === name) || all.find(entry => entry.input.name === name);
    if (!slot) {
        const names = all.map(entry => entry.name);
        const near = nearest(name, names);
        ctx.fail('unknown_input', `${block.type} has no slot ${name}; its slots: ${listed(names)}`,
            near ? `did you mean ${near}?` : undefined);
    }
    const {input} = /** @type {{input: any}} */ (slot);
    if (input.connection.type !== type) {
        const kind = type === STATEMENT ? 'value_into' : 'statement_into';
        ctx.fail('connection_mismatch', `${name} of ${block.type} is a ${type === STATEMENT ? 'value' : 'statement'} slot`,
            `use kind ${kind}`);
    }
    return input;
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {any} outer what would be moved, with all that is in it and below it
 * @param {any} inner what it would be moved to
 */
const requireOutside = (ctx, outer, inner) => {
    if (outer.getDescendants(false).includes(inner)) {
        ctx.fail('invalid_argument', `the target is part of what would be moved (${outer.type} and all below it)`,
            'choose a target outside of it, or detach it first');
    }
};

/** @param {any} block a block to take away with all below it; what is above stays */
const take = block => {
    if (block.getParent()) block.unplug(false);
};

/**
 * @param {any} connection a connection that leads down, or into a slot
 * @param {any} first the stack to hang there; null leaves it open
 */
const hang = (connection, first) => {
    if (first) connection.connect(first.previousConnection);
};

/**
 * The stack below or inside `connection` moves under `tail`; `first`, the head of that new part, takes its place.
 * @param {Ctx} ctx the page function's context
 * @param {any} connection a next connection, or a statement slot's
 * @param {any} first head of the stack to put in
 * @param {any} tail last block of the stack to put in
 */
const insert = (ctx, connection, first, tail) => {
    // What hangs there once `first` is away: `first` itself may be there now.
    const present = connection.targetBlock();
    const follower = present === first ? null : present;
    requireFit(ctx, connection, first.previousConnection);
    if (follower) {
        requireBottom(ctx, tail, 'the last moved block');
        requireFit(ctx, tail.nextConnection, follower.previousConnection);
    }
    take(first);
    if (follower) take(follower);
    hang(connection, first);
    if (follower) hang(tail.nextConnection, follower);
};

/** @type {Record<string, (ctx: Ctx, source: any, target: any, inputName: string | null) => {displaced?: any}>} */
const KINDS = {
    stack_after: (ctx, source, target) => {
        requireTop(ctx, source, 'the source');
        requireBottom(ctx, target, 'the target');
        requireOutside(ctx, source, target);
        insert(ctx, target.nextConnection, source, tailOf(source));
        return {};
    },

    stack_before: (ctx, source, target) => {
        const tail = tailOf(source);
        requireBottom(ctx, tail, 'the last moved block');
        requireTop(ctx, target, 'the target');
        requireOutside(ctx, source, target);
        const above = target.previousConnection.targetConnection;
        if (above) {
            requireTop(ctx, source, 'the source');
            insert(ctx, above, source, tail);
            return {};
        }
        requireFit(ctx, tail.nextConnection, target.previousConnection);
        take(source);
        hang(tail.nextConnection, target);
        return {};
    },

    statement_into: (ctx, source, target, inputName) => {
        const slot = slotOf(ctx, target, inputName || '', STATEMENT);
        requireTop(ctx, source, 'the source');
        requireOutside(ctx, source, target);
        insert(ctx, slot.connection, source, tailOf(source));
        return {};
    },

    value_into: (ctx, source, target, inputName) => {
        const slot = slotOf(ctx, target, inputName || '', VALUE);
        if (!source.outputConnection) {
            ctx.fail('connection_mismatch', `the source ${source.type} is no reporter`,
                'stack blocks go into statement slots or above and below each other');
        }
        requireOutside(ctx, source, target);
        requireFit(ctx, slot.connection, source.outputConnection);
        const inside = slot.connection.targetBlock();
        if (inside === source) return {};
        const displaced = inside && !inside.isShadow() ? inside : null;
        const left = slotAround(source);
        take(source);
        if (left) defaultBlock(ctx, left);
        // Taken out first: Blockly would otherwise push it into a slot of the newcomer.
        if (displaced) take(displaced);
        slot.connection.connect(source.outputConnection);
        return {displaced};
    },

    wrap: (ctx, source, target, inputName) => {
        const slot = slotOf(ctx, source, inputName || 'SUBSTACK', STATEMENT);
        requireTop(ctx, target, 'the target');
        requireOutside(ctx, source, target);
        const wrapped = stackFrom(target).filter(block => !stackFrom(source).includes(block));
        const tail = wrapped.at(-1);
        const held = slot.connection.targetBlock();
        const above = target.previousConnection.targetConnection;
        requireFit(ctx, slot.connection, target.previousConnection);
        if (above) requireTop(ctx, source, 'the source');
        if (above) requireFit(ctx, above, source.previousConnection);
        if (held) {
            requireBottom(ctx, tail, 'the last wrapped block');
            requireFit(ctx, tail.nextConnection, held.previousConnection);
        }
        take(source);
        take(target);
        if (held) take(held);
        hang(slot.connection, target);
        if (held) hang(tail.nextConnection, held);
        if (above) hang(above, source);
        return {};
    }
};

module.exports = {KINDS, requireSlotName, take};
