// @ts-check
// Asking for the token of a server that has one.
import {token} from '../client.js';
import {h} from '../dom.js';

/**
 * @param {import('../client.js').Trouble} trouble what the server said
 * @param {() => void} done called once a token was given
 * @returns {HTMLElement}
 */
export const askForToken = (trouble, done) => {
    const field = h('input', {id: 'token', type: 'password', autocomplete: 'off', required: true, spellcheck: 'false'});
    const refused = token.get() !== null;
    return h(
        'form',
        {
            class: 'panel token',
            onsubmit: (/** @type {SubmitEvent} */ event) => {
                event.preventDefault();
                if (!field.value) return;
                token.set(field.value.trim());
                done();
            }
        },
        h('h1', {tabindex: -1}, 'Token required'),
        h('p', {role: refused ? 'alert' : null}, refused ? 'This token does not give access. ' : '', trouble.message, trouble.hint && ` (${trouble.hint})`),
        h('label', {for: 'token'}, 'Token'),
        field,
        h('button', {type: 'submit'}, 'Open'),
        h('p', {class: 'quiet'}, 'Only this tab keeps it, until the tab is closed.')
    );
};
