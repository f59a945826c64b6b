// @ts-check
// The front page: what runs now, and examples to copy with this server's address in them.
import {Trouble, json, pause, whileVisible} from './client.js';
import {h, put, say} from './dom.js';
import {actionLine, age, counted, moment} from './lib/words.js';

/** Milliseconds between two looks at what runs. */
const PAUSE = 5000;
/** So many sessions are named here; the live view has all. */
const NAMED = 6;

/** @param {string} id @returns {HTMLElement} an element that the page has */
const part = id => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {any} row of the list of sessions */
const cardOf = ({session, calls, last}) =>
    h(
        'li',
        {class: 'card'},
        h('h3', {}, h('a', {href: `/live#/sessions/${session.id}`}, session.task ?? 'no task')),
        h('p', {class: 'quiet'}, `${counted(calls, 'call')} · ${age(Date.now() / 1000 - session.created_at)} old`),
        last && h('p', {}, actionLine(last.api, last.args))
    );

let shown = '';

/** @param {AbortSignal} signal */
const look = async signal => {
    const {sessions, limit} = await json('/live/sessions', signal);
    const more = sessions.length - NAMED;
    say(part('count'), sessions.length ? `${sessions.length} of at most ${limit} sessions${more > 0 ? `, ${more} of them only in the live view` : ''}` : `No sessions; there may be ${limit}.`);
    const now = JSON.stringify(sessions.map((/** @type {any} */ row) => [row.session.id, row.calls]));
    // Cards that stay keep the focus.
    if (now !== shown) put(part('sessions'), sessions.slice(0, NAMED).map(cardOf));
    shown = now;
    await pause(PAUSE, signal);
};

/** @param {Trouble} trouble @returns {boolean} whether to go on trying */
const onTrouble = trouble => {
    if (!trouble.wantsToken) {
        say(part('count'), trouble.message);
        return true;
    }
    put(part('count'), ['This server requires a token; enter it in ', h('a', {href: '/live'}, 'the live view'), '.']);
    return false;
};

const runs = async () => {
    try {
        const {runs: [last]} = await json('/runs');
        if (!last) return put(part('runs'), ['No runs yet: make one with ', h('code', {}, 'scratchbed run'), '.']);
        const {run, attempts, passed} = last;
        put(part('runs'), ['Last run: ', h('a', {href: `/live#/runs/${encodeURIComponent(run.id)}`}, `${run.agent}, ${run.mode}`), `, ${moment(run.started_at)}, ${passed} of ${attempts} passed.`]);
    } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        put(part('runs'), ['Runs are visible to researchers.']);
    }
};

/** @param {HTMLElement} pre */
const copyable = pre => {
    const code = /** @type {HTMLElement} */ (pre.firstElementChild);
    code.textContent = (code.textContent ?? '').replaceAll('ORIGIN', location.origin);
    const button = h('button', {type: 'button', 'aria-label': `Copy the ${pre.getAttribute('aria-label')}`}, 'Copy');
    button.addEventListener('click', async () => {
        try {
            await navigator.clipboard.writeText(code.textContent ?? '');
            say(button, 'Copied');
        } catch {
            // Only pages of this machine or behind TLS may write to the clipboard.
            getSelection()?.selectAllChildren(code);
            say(button, 'Selected');
        }
    });
    pre.parentElement?.querySelector('.title')?.append(button);
};

document.querySelectorAll('.ways pre').forEach(pre => copyable(/** @type {HTMLElement} */ (pre)));
void runs();
void whileVisible(new AbortController().signal, look, onTrouble);
