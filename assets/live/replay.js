// @ts-check
// One attempt in a file of its own: what the viewer asks for is in the page.
import {Trouble} from './client.js';
import {h, put} from './dom.js';
import {moveOf} from './lib/player.js';
import {counted} from './lib/words.js';
import {attemptView} from './views/attempt.js';

/** @typedef {import('./types/api').ReplayData} ReplayData */
/** @typedef {import('./types/api').AttemptSource} AttemptSource */

/** @param {{type: string, base64: string}} file */
const blobOf = ({type, base64}) => {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
    return new Blob([bytes], {type});
};

/** @param {ReplayData} data @returns {AttemptSource} */
const sourceOf = data => ({
    details: data.details,
    picture: async call => {
        const file = data.of_calls[call];
        if (typeof file !== 'number') throw new Trouble(404, 'no_picture', 'The file has no picture of this step.');
        return blobOf(data.files[file]);
    },
    program: async () => data.program ?? {targets: []},
    turns: async () => data.turns,
    messages: null,
    crumbs: null,
    tools: []
});

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @type {ReplayData} */
const data = JSON.parse(document.getElementById('replay')?.textContent ?? '');
const view = attemptView(sourceOf(data));
const left = data.left_out ? `, ${data.left_out} more omitted because of their size` : '';
const about = `Made by scratchbed ${data.version} · ${counted(data.files.length, 'picture')}, at most ${data.width} pixels wide${left}. The file makes no network requests.`;
put(main, [view.root, h('p', {class: 'quiet'}, about)]);
document.title = `${view.title} – scratchbed replay`;
document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || moveOf(event.key) === null) return;
    const {target} = event;
    if (target instanceof Element && (target.matches('input') || (event.key === ' ' && target.matches('button, a, summary')))) return;
    if (target instanceof Element && target.matches('[role=region]') && !event.key.startsWith('Arrow')) return;
    if (view.key?.(event.key)) event.preventDefault();
});
