// @ts-check
// What can be typed into a slot, by the type of the slot's default block. The rules are those of the
// editor's own input fields, which refuse the keys that would break them.

/** @typedef {{ok: true, value: string} | {ok: false, expected: string}} Checked */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Highest key of the note picker: C in octave 10. */
const HIGHEST_NOTE = 130;

/**
 * @param {(n: number) => boolean} allowed which numbers the slot takes
 * @param {string} expected how to say so
 * @returns {(text: string) => Checked} the check
 */
const number = (allowed, expected) => text => {
    const trimmed = text.trim();
    // An emptied number slot is a state that the editor allows; it counts as 0.
    if (trimmed === '') return {ok: true, value: ''};
    const ok = NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) && allowed(Number(trimmed));
    return ok ? {ok: true, value: trimmed} : {ok: false, expected};
};

/**
 * @param {RegExp} form what the text must look like
 * @param {string} expected how to say so
 * @returns {(text: string) => Checked} the check
 */
const formed = (form, expected) => text => (
    form.test(text.trim()) ? {ok: true, value: text.trim().toLowerCase()} : {ok: false, expected}
);

/** @type {Record<string, (text: string) => Checked>} */
const CHECKS = {
    math_number: number(() => true, 'a number'),
    math_angle: number(() => true, 'a number (degrees)'),
    math_integer: number(Number.isInteger, 'a whole number'),
    math_whole_number: number(n => Number.isInteger(n) && n >= 0, 'a whole number, 0 or more'),
    math_positive_number: number(n => n >= 0, 'a number, 0 or more'),
    note: number(n => Number.isInteger(n) && n >= 0 && n <= HIGHEST_NOTE, `a note number from 0 to ${HIGHEST_NOTE}`),
    colour_picker: formed(/^#[0-9a-f]{6}$/i, 'a colour such as #ff8800'),
    matrix: formed(/^[01]{25}$/, 'twenty-five digits, each 0 or 1')
};

/**
 * @param {string} opcode type of the slot's default block
 * @param {string} text what the caller wants in it
 * @returns {Checked} the value to store, or what was expected
 */
const checkTyped = (opcode, text) => (CHECKS[opcode] ? CHECKS[opcode](text) : {ok: true, value: text});

/**
 * The colour picker counts as a dropdown for Blockly, but it takes any colour.
 * @param {string} opcode type of a slot's default block
 * @returns {boolean} whether values are typed into it rather than chosen
 */
const isTyped = opcode => opcode in CHECKS;

/**
 * @param {unknown} value as it came in JSON
 * @returns {string | null} its text; null for what no field can hold
 */
const asText = value => {
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
    return null;
};

/** Characters of a value or a name; as many as `type` types. */
const LONGEST_TEXT = 2000;

/**
 * @param {string} text a value or a name
 * @returns {string | null} why nobody could type it into a field, if so: `has …`
 */
const untypable = text => {
    if (text.length > LONGEST_TEXT) return `has ${text.length} characters, and may have ${LONGEST_TEXT}`;
    const hasControls = /[\u0000-\u001f\u007f\u2028\u2029]/.test(text);
    return hasControls ? 'has control characters, such as a line break, which nobody can type into a field' : null;
};

module.exports = {asText, checkTyped, isTyped, untypable};
