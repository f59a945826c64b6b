// @ts-check
// What may have been meant by a line that is no block: labels that read alike, and slots that do not fit.
const {nearest, listed} = require('../../shared/lib/nearest');
const {isMenuField} = require('./notation-words');

/**
 * @typedef {import('../../types/notation').Entry} Entry
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Procedure} Procedure
 * @typedef {import('../../types/notation').Slot} Slot
 */

/** @param {Slot} slot @returns {string} how it may be written */
const slotForm = slot => {
    if (slot.field) return `[${slot.field} v]`;
    if (slot.statement) return '…';
    return slot.boolean ? '<>' : `(${slot.input})`;
};

/** @param {Entry} entry @returns {string} a block's label with its slots, for messages */
const labelOf = entry => entry.parts.map(part => (typeof part === 'string' ? part : slotForm(part))).join(' ').replace(/ \?/g, '?');

/**
 * @param {string} hash of a line that is no block
 * @param {Record<string, Entry>} blocks of the catalogue
 * @param {string[]} shapes that can stand there
 * @param {Record<string, Procedure>} procedures of the sprite, by hash
 * @returns {string | null} the label that reads most like it
 */
const nearestLabel = (hash, blocks, shapes, procedures) => {
    const known = Object.values(blocks).filter(entry => !entry.shadowed && entry.hash !== '_' && shapes.includes(entry.shape));
    const labels = new Map(known.map(entry => [entry.hash, labelOf(entry)]));
    if (shapes.includes('stack')) for (const word of ['else', 'end']) labels.set(word, word);
    for (const [own, {proccode}] of Object.entries(procedures)) labels.set(own, proccode.replace(/%[sn]/g, '()').replace(/%b/g, '<>'));
    const near = nearest(hash, [...labels.keys()]);
    return near === null ? null : (labels.get(near) ?? null);
};

/**
 * @param {Slot[]} slots of a label
 * @param {Node[]} given what is written into them
 * @param {(slot: Slot, child: Node) => boolean} fits whether one can hold the other
 * @returns {{message: string, hint: string} | null} the first that does not fit, if it is a choice that is not there
 */
const wrongChoice = (slots, given, fits) => {
    const at = slots.findIndex((slot, i) => given[i] && !fits(slot, given[i]));
    const [slot, child] = [slots[at], given[at]];
    if (!slot?.options || !isMenuField(slot, child)) return null;
    const labels = slot.options.map(([label]) => label);
    const near = nearest(child.value, labels);
    const hint = `${near === null ? '' : `did you mean "${near}"? `}there is: ${listed(labels, 12)}`;
    return {message: `"${child.value}" is no choice of [${slot.field} v]`, hint};
};

module.exports = {labelOf, nearestLabel, wrongChoice};
