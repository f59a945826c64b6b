// @ts-check
// What a task asks for, where something is shown that was done for it.
import {Trouble, json} from '../client.js';
import {h, say} from '../dom.js';

/** @param {string | null} instruction @returns {HTMLElement} */
export const instructionText = instruction =>
    h('section', {class: 'panel', hidden: !instruction}, h('h2', {}, 'Task'), h('p', {class: 'instruction'}, instruction));

/** @param {string | null} task @returns {HTMLElement} filled once the server has told */
export const instructionOf = task => {
    const text = h('p', {class: 'instruction'});
    const root = h('section', {class: 'panel', hidden: true}, h('h2', {}, 'Task'), text);
    const load = async (/** @type {string} */ id) => {
        try {
            say(text, (await json(`/tasks/${encodeURIComponent(id)}`)).instruction);
            root.hidden = false;
        } catch (error) {
            // The task may be of another pack than this server's.
            if (!(error instanceof Trouble)) throw error;
        }
    };
    if (task) void load(task);
    return root;
};
