// @ts-check
// The frame: which view is shown, the focus when it changes, keys that nothing focused wanted.
import {Trouble} from './client.js';
import {h, put} from './dom.js';
import {askForToken} from './parts/token.js';
import {experimentView} from './views/experiment.js';
import {experimentsView} from './views/experiments.js';
import {recordedAttempt} from './views/recorded.js';
import {runView} from './views/run.js';
import {runsView} from './views/runs.js';
import {sessionView} from './views/session.js';
import {sessionsView} from './views/sessions.js';
import {tasksView} from './views/tasks.js';

/** @typedef {import('./types/api').View} View */

const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** @type {View | null} */
let current = null;
/** Counts the changes of view, so that a late reply does not replace a newer view. */
let turn = 0;

/** Tells of trouble above the view, which stays. */
const banner = h('p', {class: 'banner', role: 'alert', hidden: true});

/** @param {Trouble} trouble */
const tell = trouble => {
    put(banner, [trouble.message, trouble.hint && ` ${trouble.hint}`]);
    banner.hidden = false;
};

/** @param {Trouble} trouble @returns {boolean} whether the view goes on trying */
const onTrouble = trouble => {
    if (trouble.wantsToken) {
        show({title: 'Token', root: askForToken(trouble, () => void open())});
        return false;
    }
    tell(trouble);
    return trouble.status === 0 || trouble.status >= 500 || trouble.status === 429;
};

/** @param {string[]} parts @returns {View | Promise<View> | null} */
const viewOf = ([view, id, attempt]) => {
    if (view === 'sessions' || !view) return id ? sessionView(id, {onTrouble}) : sessionsView({onTrouble});
    if (view === 'tasks' && !id) return tasksView();
    if (view === 'experiments') return id ? experimentView(id, {onTrouble}) : experimentsView({onTrouble});
    if (view !== 'runs') return null;
    if (!id) return runsView();
    return attempt ? recordedAttempt(id, attempt, {onTrouble}) : runView(id);
};

/** @param {View} view */
const show = view => {
    current?.stop?.();
    current = view;
    put(main, [banner, view.root]);
    document.title = `${view.title} – scratchbed live`;
    view.root.querySelector('h1')?.focus({preventScroll: true});
};

const parts = () => {
    const path = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
    // One of them is called by either name.
    if (path[0] === 'experiment') path[0] = 'experiments';
    try {
        return path.map(decodeURIComponent);
    } catch {
        return path;
    }
};

/** @returns {View} */
const nothing = () => ({title: 'Not found', root: h('div', {}, h('h1', {tabindex: -1}, 'Not found'), h('p', {}, h('a', {href: '#/sessions'}, 'Go to the sessions')))});

const open = async () => {
    const mine = ++turn;
    const path = parts();
    // The skip link leads to the content, which is no view.
    if (path[0] === 'main') return main.focus();
    banner.hidden = true;
    for (const link of document.querySelectorAll('nav a')) {
        const here = link.getAttribute('data-view') === (path[0] ?? 'sessions');
        if (here) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
    }
    try {
        const view = (await viewOf(path)) ?? nothing();
        if (mine === turn) show(view);
        else view.stop?.();
    } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        if (mine !== turn) return;
        if (!error.wantsToken) show(nothing());
        onTrouble(error);
    }
};

/** Whether the focused element uses keys itself. @param {EventTarget | null} target @param {string} key */
const isWanted = (target, key) => {
    if (!(target instanceof Element)) return false;
    if (target.matches('input, textarea, select, [contenteditable]')) return true;
    if (key === ' ' && target.matches('button, a, summary')) return true;
    // Regions that scroll take Home and End.
    return target.matches('[role=region]') && (key === 'Home' || key === 'End' || key === ' ');
};

document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isWanted(event.target, event.key)) return;
    if (current?.key?.(event.key)) event.preventDefault();
});
window.addEventListener('hashchange', () => void open());
void open();
