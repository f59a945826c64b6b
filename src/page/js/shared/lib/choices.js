// @ts-check
// What a dropdown offers, and which choice a caller means.

/** Values that dropdowns use for their commands; they open dialogs (ScratchBlocks constants, and the sound menu). */
const COMMANDS = ['RENAME_VARIABLE_ID', 'DELETE_VARIABLE_ID', 'NEW_BROADCAST_MESSAGE_ID', 'SOUND_RECORD'];

/**
 * @param {any} label an option's label: a text, or an image with an alt text
 * @returns {string} its text
 */
const labelText = label => (typeof label === 'string' ? label : String((label && label.alt) || ''));

/**
 * @param {[any, any][]} options as Blockly gives them: label and value
 * @returns {{choices: {label: string, value: string}[], commands: string[]}} what can be chosen, and the
 *     labels of commands ("New message", "record..."), whose values are callbacks or reserved ids
 */
const sortOptions = options => {
    /** @type {{label: string, value: string}[]} */
    const choices = [];
    /** @type {string[]} */
    const commands = [];
    for (const [label, value] of options) {
        if (typeof value === 'function' || COMMANDS.includes(value)) commands.push(labelText(label));
        else choices.push({label: labelText(label), value: String(value)});
    }
    return {choices, commands};
};

/**
 * A label wins over a value, and an exact match over one that differs in case.
 * @param {{label: string, value: string}[]} choices what there is
 * @param {string} wanted what the caller wrote
 * @returns {{label: string, value: string} | null} the choice meant, or null when none or several could be
 */
const choose = (choices, wanted) => {
    const exact = choices.find(choice => choice.label === wanted) || choices.find(choice => choice.value === wanted);
    if (exact) return exact;
    const folded = wanted.trim().toLowerCase();
    const alike = choices.filter(choice => [choice.label, choice.value].some(text => text.toLowerCase() === folded));
    return alike.length === 1 ? alike[0] : null;
};

/**
 * @param {string} name a field's name, such as KEY_OPTION
 * @returns {string} the key under which its choices are shown: `keyoptionOptions`
 */
const choicesKey = name => `${name.replaceAll('_', '').toLowerCase()}Options`;

module.exports = {sortOptions, choose, choicesKey, labelText};
