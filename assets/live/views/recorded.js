// @ts-check
// One attempt from the server, with what can be done about it: have it as a file, have it judged, watch it.
import {Trouble, blob, json, send} from '../client.js';
import {h, say} from '../dom.js';
import {bytes, counted} from '../lib/words.js';
import {attemptView} from './attempt.js';
import {runningAttempt} from './running.js';

/** The run that agents from outside are shown as. */
const SESSIONS = 'sessions';

/**
 * A button whose work takes a while, and words on how it went.
 * @param {string} label
 * @param {() => Promise<string>} work
 * @returns {HTMLElement}
 */
const worker = (label, work) => {
    const told = h('span', {class: 'quiet', role: 'status'});
    const button = h('button', {type: 'button'}, label);
    button.addEventListener('click', async () => {
        button.disabled = true;
        say(told, 'Working …');
        try {
            say(told, await work());
        } catch (error) {
            if (!(error instanceof Trouble)) throw error;
            say(told, [error.message, error.hint].filter(Boolean).join(' '));
        }
        button.disabled = false;
    });
    return h('span', {class: 'worker'}, button, told);
};

/** Hands a file to the person. @param {Blob} file @param {string} name */
const save = (file, name) => {
    const url = URL.createObjectURL(file);
    const link = h('a', {href: url, download: name});
    link.click();
    // The browser has taken it over by then.
    setTimeout(() => URL.revokeObjectURL(url), 60000);
};

/**
 * @param {string} run
 * @param {string} name
 * @param {{onTrouble: (trouble: Trouble) => boolean}} frame
 * @returns {Promise<import('../types/api').View>}
 */
export const recordedAttempt = async (run, name, frame) => {
    const at = `/runs/${encodeURIComponent(run)}/attempts/${encodeURIComponent(name)}`;
    /** @type {import('../types/api').AttemptDetails} */
    const details = await json(at);
    const crumb = [h('a', {href: '#/runs'}, 'Runs'), ' / ', h('a', {href: `#/runs/${encodeURIComponent(run)}`}, run)];
    const crumbs = h('p', {class: 'crumbs'}, ...crumb);
    // Sessions of agents from outside have a view of their own.
    if (details.record.lives && run !== SESSIONS) return runningAttempt(at, crumbs, details, frame);
    const download = worker('Save as one file', async () => {
        const file = await blob(`${at}/file`);
        save(file, `${details.record.task}-${name}.html`);
        return `${bytes(file.size)}, self-contained`;
    });
    const judge = worker('Judge the project', async () => {
        const {outcome, passed_tests, total_tests} = await send(`${at}/verdict`);
        // The view is made anew, with the verdict at its place.
        window.dispatchEvent(new HashChangeEvent('hashchange'));
        return `${outcome}, ${passed_tests} of ${counted(total_tests, 'test')}`;
    });
    return attemptView({
        details,
        picture: call => blob(`${at}/pictures/${call}`),
        program: () => json(`${at}/program`),
        turns: async () => (await json(`${at}/turns`)).turns,
        messages: async turn => (await json(`${at}/turns/${turn}/messages`)).messages,
        crumbs,
        tools: [
            ...(details.record.lives ? [h('a', {href: `#/sessions/${encodeURIComponent(name)}`}, 'Watch it live')] : []),
            ...(details.may_judge ? [judge] : []),
            download
        ]
    });
};
