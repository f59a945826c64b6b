// @ts-check
// The living sessions.
import {Trouble, blob, json, pause, whileVisible} from '../client.js';
import {h, put, say} from '../dom.js';
import {actionLine, age, counted} from '../lib/words.js';
import {draw, thumbnail} from '../parts/thumbnail.js';

/** Milliseconds between two looks at the list: the first while something changes, the second at rest. */
const [QUICK, SLOW] = [1500, 5000];
/** Milliseconds between two small pictures of a session: while it rests, and while it never seems to. */
const [STILL, STILL_BUSY] = [5000, 20000];
/** Milliseconds to wait for one: a session in a long call must not keep the others without. */
const PATIENCE = 5000;

/** @typedef {import('../types/api').ListedSession & {last?: {api: string, args?: Record<string, any>, code?: string} | null}} Row */

/** @param {Row} row */
const state = ({busy, session}) => (busy ? 'acting' : session.idle_s < 10 ? 'active' : 'idle');

/** @param {Row} row */
const lastAction = ({last, calls}) => {
    if (last) return `${actionLine(last.api, last.args)}${last.code && last.code !== 'ok' ? ` – ${last.code}` : ''}`;
    return calls ? counted(calls, 'call') : 'nothing yet';
};

/** One session, kept while it lives so that the focus stays on it. */
class Card {
    /** @param {Row} row */
    constructor(row) {
        this.picture = thumbnail();
        this.pictured = {calls: -1, at: -Infinity};
        this.state = h('span', {class: 'state'});
        this.age = h('dd');
        this.idle = h('dd');
        this.calls = h('dd');
        this.last = h('dd', {class: 'wide'});
        const entry = (/** @type {string} */ name, /** @type {HTMLElement} */ value) => h('div', {}, h('dt', {}, name), value);
        this.root = h(
            'li',
            {class: 'card'},
            this.picture,
            h('h2', {}, h('a', {href: `#/sessions/${row.session.id}`}, row.session.task ?? 'no task'), this.state),
            h('p', {class: 'quiet id'}, row.session.id),
            h('dl', {}, entry('age', this.age), entry('last call', this.idle), entry('calls', this.calls), entry('last action', this.last))
        );
        this.update(row);
    }

    /** @param {Row} row */
    update(row) {
        say(this.state, state(row));
        this.state.className = `state ${state(row)}`;
        say(this.age, age(Date.now() / 1000 - row.session.created_at));
        say(this.idle, row.calls ? `${age(row.session.idle_s)} ago` : 'none');
        say(this.calls, String(row.calls));
        say(this.last, lastAction(row));
    }

    /** Draws the session anew if it has been called since. @param {Row} row @param {AbortSignal} signal */
    async look({session, calls, busy}, signal) {
        const waited = performance.now() - this.pictured.at;
        // Between two calls a look costs the session nothing.
        if (calls === this.pictured.calls || waited < (busy ? STILL_BUSY : STILL)) return;
        this.pictured = {calls, at: performance.now()};
        try {
            await draw(this.picture, await blob(`/sessions/${encodeURIComponent(session.id)}/live/picture`, signal));
        } catch (error) {
            // One that has just ended, or whose page is being replaced, keeps its last picture.
            if (!(error instanceof Trouble || error instanceof DOMException)) throw error;
        }
    }
}

/**
 * @param {{onTrouble: (trouble: import('../client.js').Trouble) => boolean}} frame
 * @returns {import('../types/api').View}
 */
export const sessionsView = ({onTrouble}) => {
    const stop = new AbortController();
    const count = h('p', {class: 'quiet', role: 'status'});
    const list = h('ul', {class: 'cards'});
    const empty = h('p', {class: 'panel', hidden: true}, 'No sessions. Create one with ', h('code', {}, 'POST /sessions'), '.');
    /** @type {Map<string, Card>} */
    const cards = new Map();
    let before = '';
    let drawing = false;
    /** One after another: a full server is not asked for all of them at once. @param {Row[]} rows @param {AbortSignal} signal */
    const drawAll = async (rows, signal) => {
        if (drawing) return;
        drawing = true;
        for (const row of rows) await cards.get(row.session.id)?.look(row, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]));
        drawing = false;
    };
    whileVisible(
        stop.signal,
        async signal => {
            const {sessions, limit} = await json('/live/sessions', signal);
            for (const id of [...cards.keys()]) {
                if (sessions.some((/** @type {Row} */ row) => row.session.id === id)) continue;
                cards.get(id)?.root.remove();
                cards.delete(id);
            }
            for (const row of sessions) {
                const known = cards.get(row.session.id);
                if (known) known.update(row);
                else {
                    const card = new Card(row);
                    cards.set(row.session.id, card);
                    list.append(card.root);
                }
            }
            empty.hidden = sessions.length > 0;
            say(count, `${sessions.length} of at most ${limit}`);
            void drawAll(sessions, signal);
            const now = sessions.map((/** @type {Row} */ row) => `${row.session.id} ${row.calls} ${row.busy}`).join();
            await pause(now === before ? SLOW : QUICK, signal);
            before = now;
        },
        onTrouble
    );
    const root = h('div', {}, h('h1', {tabindex: -1}, 'Sessions'), count, empty, list);
    put(count, ['Loading …']);
    return {title: 'Sessions', root, stop: () => stop.abort()};
};
