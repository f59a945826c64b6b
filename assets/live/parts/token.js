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
        h('h1', {tabindex: -1}, 'A token is needed'),
        h('p', {role: refused ? 'alert' : null}, refused ? 'The token that was given does not open this. ' : '', trouble.message, trouble.hint && ` (${trouble.hint})`),
        h('label', {for: 'token'}, 'Token'),
        field,
        h('button', {type: 'submit'}, 'Open'),
        h('p', {class: 'quiet'}, 'It is kept in this tab only, until the tab is closed.')
    );
};
