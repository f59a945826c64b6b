// @ts-check
// The wording of a project's own blocks: words with %s (number or text) and %b (boolean) where arguments go.

/**
 * @param {string} proccode such as `jump %s times if %b`
 * @returns {('s' | 'b')[]} the kinds of its arguments, in order; %n, of old projects, counts as %s
 */
const placeholders = proccode =>
    Array.from(proccode.matchAll(/(?<=^|\s)%([nsb])(?=\s|$)/g), match => (match[1] === 'b' ? 'b' : 's'));

/**
 * @param {string} proccode such as `jump %s times if %b`
 * @returns {string} the words without the arguments: `jump times if`
 */
const words = proccode => proccode.split(/\s+/).filter(word => !/^%[nsb]$/.test(word)).join(' ');

/**
 * Finds a procedure by its wording, or by its words alone when only one has them.
 * @template {{proccode: string}} P
 * @param {P[]} procedures those of the editing target
 * @param {string} name as the caller wrote it
 * @returns {P | null} the one meant
 */
const findProcedure = (procedures, name) => {
    const exact = procedures.find(procedure => procedure.proccode === name);
    if (exact) return exact;
    const alike = procedures.filter(procedure => words(procedure.proccode) === words(name));
    return alike.length === 1 && placeholders(name).length === 0 ? alike[0] : null;
};

/**
 * Argument ids are random; agents name an argument slot by the argument's name. A name that occurs twice
 * gets a number from its second use on: `x`, `x#2`.
 * @param {string[]} names the arguments' names in order
 * @returns {string[]} one label an argument, all different
 */
const slotLabels = names => {
    /** @type {Map<string, number>} */
    const seen = new Map();
    return names.map(name => {
        const count = (seen.get(name) || 0) + 1;
        seen.set(name, count);
        return count === 1 ? name : `${name}#${count}`;
    });
};

module.exports = {placeholders, words, findProcedure, slotLabels};
