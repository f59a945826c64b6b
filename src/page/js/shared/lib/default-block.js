// @ts-check
// The default block of a slot: what can be typed or chosen while no reporter is in it.

const {template} = require('./palette');
const {seams} = require('./editor-seams');

/**
 * Blockly brings a slot's default block back by itself if it knows of one. Projects that were converted or made by
 * programs often lack them: the slot then gets the one that the palette has for it.
 * @param {import('../../types/page').Ctx} ctx the page function's context
 * @param {any} input a value slot without a reporter
 * @returns {any} its default block; null when it has none by nature, as boolean slots
 */
const defaultBlock = (ctx, input) => {
    const present = input.connection.targetBlock();
    if (present) return present;
    const known = template(ctx, input.connection.getSourceBlock().type);
    const value = known && Array.from(known.children).find(child => child.getAttribute('name') === input.name);
    const shadow = value && value.querySelector('shadow');
    if (!shadow) return null;
    const copy = /** @type {Element} */ (shadow.cloneNode(true));
    copy.removeAttribute('id');
    seams().giveShadow(input.connection, copy);
    return input.connection.targetBlock();
};

/**
 * @param {any} block a block
 * @returns {any} the value slot that it is in; null for stack blocks and loose ones
 */
const slotAround = block => {
    const connection = block.outputConnection && block.outputConnection.targetConnection;
    return connection ? seams().inputOf(connection) : null;
};

module.exports = {defaultBlock, slotAround};
