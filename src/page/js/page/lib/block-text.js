// @ts-check
// How a Blockly block is named in an element list: its opcode, and what a reader sees written on it.

const {seams} = require('../../shared/lib/editor-seams');

/**
 * @param {unknown} text
 * @returns {string} with every run of blanks, the hard ones included, as one space
 */
const squeeze = text => String(text ?? '').replace(/[\s\u00a0]+/g, ' ').trim();

/**
 * What is written on a block, its reporters included, its statements and followers left out: variables
 * and reporters in round brackets, conditions in pointed ones, typed and chosen values as they are.
 * @param {any} block a Blockly block
 * @param {(child: any) => string} [inSlot] how a block in one of its slots is written
 * @returns {string}
 */
const labelOf = (block, inSlot = bracketed) => {
    const parts = [];
    for (const input of block.inputList) {
        for (const field of input.fieldRow) if (!isOrnament(field)) parts.push(field.getText());
        const child = input.connection && input.connection.targetBlock();
        if (!child) continue;
        if (child.outputConnection) parts.push(inSlot(child));
        // The header of a custom block holds its own signature as if it were a statement.
        else if (input.name === 'custom_block') parts.push(labelOf(child, inSlot));
    }
    return squeeze(parts.join(' '));
};

/**
 * Pictures have a text too: the flag's is worth reading, the loop arrow's is a star.
 * @param {any} field
 */
const isOrnament = field => seams().isPicture(field) && !/\p{L}/u.test(field.getText());

/**
 * @param {any} block a block that sits in a slot
 * @returns {string}
 */
const bracketed = block => {
    const label = labelOf(block);
    if (block.isShadow()) return label;
    const check = seams().checkOf(block.outputConnection);
    return check && check.includes('Boolean') ? `<${label}>` : `(${label})`;
};

/**
 * What a reader sees on a block, without the brackets that stand for the shapes of slots.
 * @param {any} block a Blockly block
 * @returns {string}
 */
const shownText = block => labelOf(block, shownText);

/**
 * The block that a shadow or fixed part belongs to when it is grabbed.
 * @param {any} block
 * @returns {any}
 */
const ownerOf = block => {
    let owner = block;
    while (owner.isShadow() && owner.getParent()) owner = owner.getParent();
    return owner;
};

/**
 * The published lists name a block on the canvas by opcode and " on canvas", one in the palette by its
 * opcode alone. What is written on it follows, because one opcode may be there many times.
 * @param {any} block
 * @param {boolean} onCanvas
 * @returns {string}
 */
const nameOf = (block, onCanvas) => {
    const label = labelOf(block);
    const name = onCanvas ? `${block.type} on canvas` : block.type;
    return label ? `${name}: ${label}` : name;
};

/**
 * @param {any} field an editable field
 * @param {any} block the block it is drawn on
 * @param {boolean} onCanvas
 * @returns {string}
 */
const fieldText = (field, block, onCanvas) => {
    const owner = ownerOf(block);
    const slot = block === owner ? field.name : slotOf(block);
    const kind = field.getOptions ? 'dropdown' : 'field';
    return `value: ${squeeze(field.getText())} ${kind}: ${slot} of ${owner.type}${onCanvas ? ' on canvas' : ''}`;
};

/**
 * @param {any} shadow a shadow block
 * @returns {string} the name of the slot it fills
 */
const slotOf = shadow => {
    const parent = shadow.getParent();
    const input = parent && parent.getInputWithBlock(shadow);
    return input ? input.name : shadow.type;
};

module.exports = {squeeze, labelOf, nameOf, fieldText, ownerOf, shownText};
