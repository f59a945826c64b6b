// @ts-check
// A question before something is done: what will happen, what else must be known, and what the server has against it.
import {Trouble} from '../client.js';
import {h, put} from '../dom.js';

/** @typedef {{value: string, label: string, says?: string}} Choice */
/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string} [help]
 * @property {'text' | 'number' | 'choice'} kind
 * @property {string} [value] at first
 * @property {boolean} [required]
 * @property {number} [min] of a number
 * @property {boolean} [whole] whether a number has no fraction
 * @property {Choice[]} [choices]
 */
/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} [text] what will happen
 * @property {string} verb on the button that does it
 * @property {boolean} [dangerous] whether it can't be taken back
 * @property {Field[]} [fields]
 * @property {(values: Record<string, string>) => Promise<void>} work throws a `Trouble` when it is refused; the question stays then
 */

let asked = 0;

/** @param {string} form prefix of ids @param {Field} field */
const inputOf = (form, {name, label, help, kind, value = '', required = false, min, whole}) => {
    const id = `${form}-${name}`;
    const input = h('input', {
        id,
        name,
        value,
        required,
        type: kind,
        autocomplete: 'off',
        ...(kind === 'number' ? {min, step: whole ? 1 : 'any', inputmode: whole ? 'numeric' : 'decimal'} : {maxlength: 500}),
        'aria-describedby': help ? `${id}-help` : null
    });
    return h('p', {class: 'field'}, h('label', {for: id}, label), input, help && h('span', {id: `${id}-help`, class: 'quiet'}, help));
};

/** @param {string} form prefix of ids @param {Field} field */
const choiceOf = (form, {name, label, value, choices = []}) =>
    h(
        'fieldset',
        {},
        h('legend', {}, label),
        ...choices.map(choice => {
            const id = `${form}-${name}-${choice.value}`;
            const input = h('input', {id, name, type: 'radio', value: choice.value, checked: choice.value === value, required: true});
            return h('p', {class: 'choice'}, input, h('label', {for: id}, h('b', {}, choice.label), choice.says && ` ${choice.says}`));
        })
    );

/**
 * Asks. The focus returns to where it was when the question is closed; Escape closes it.
 * @param {Question} question
 */
export const ask = ({title, text, verb, dangerous = false, fields = [], work}) => {
    const form = `ask-${++asked}`;
    const said = h('p', {class: 'bad', role: 'alert'});
    const submit = h('button', {type: 'submit', class: dangerous ? 'danger' : 'strong'}, verb);
    const dialog = h(
        'dialog',
        {class: 'ask', 'aria-labelledby': form},
        h(
            'form',
            {
                onsubmit: async (/** @type {SubmitEvent} */ event) => {
                    event.preventDefault();
                    const values = Object.fromEntries([...new FormData(/** @type {HTMLFormElement} */ (event.target))].map(([name, value]) => [name, String(value).trim()]));
                    submit.disabled = true;
                    try {
                        await work(values);
                        dialog.close();
                    } catch (error) {
                        if (!(error instanceof Trouble)) throw error;
                        put(said, [error.message, error.hint && ` ${error.hint}`]);
                    } finally {
                        submit.disabled = false;
                    }
                }
            },
            h('h2', {id: form}, title),
            text && h('p', {}, text),
            ...fields.map(field => (field.kind === 'choice' ? choiceOf(form, field) : inputOf(form, field))),
            said,
            h('p', {class: 'answers'}, submit, h('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))
        )
    );
    const main = document.getElementById('main') ?? document.body;
    dialog.addEventListener('close', () => {
        dialog.remove();
        // What had the focus may be gone by what was done.
        if (document.activeElement === document.body) main.focus();
    });
    main.append(dialog);
    dialog.showModal();
};
