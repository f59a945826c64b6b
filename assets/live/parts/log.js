// @ts-check
// A session's event log as it grows, and its last actions with their results.
import {json, whileVisible} from '../client.js';
import {h, put, say} from '../dom.js';
import {isDetail, rowsOf} from '../lib/events.js';
import {actionLine, counted, duration, eventLine, spaced} from '../lib/words.js';

/** @typedef {import('../types/api').LogEvent} LogEvent */

/** Lines and actions that are kept on the page. */
const [LINES, ACTIONS] = [400, 12];
/** How long the server may wait for the next event, in milliseconds. */
const WAIT_MS = 20000;
/** So many events are asked for at first. */
const FIRST = 200;

/** @param {LogEvent} event */
const lineOf = event => {
    const failed = event.kind === 'reply' && event.code !== 'ok';
    return h(
        'li',
        {class: event.kind},
        h('span', {class: 'at'}, `${(event.at_ms / 1000).toFixed(2)} s`),
        h('span', {class: 'kind'}, spaced(event.kind)),
        h('span', {class: failed ? 'failed' : null}, eventLine(event))
    );
};

/** @param {import('../lib/events.js').ActionRow} row */
const actionOf = ({request, reply}) => {
    const failed = reply && reply.code !== 'ok';
    const result = !reply ? 'in progress' : failed ? `${reply.code}: ${reply.message ?? ''}` : `done in ${duration(reply.duration_ms ?? 0)}`;
    return h(
        'li',
        {},
        h('span', {}, actionLine(request.api, request.args)),
        ' ',
        h('span', {class: failed ? 'bad' : 'quiet'}, result),
        request.note && h('q', {class: 'note'}, request.note)
    );
};

/** The log of one session. */
export class SessionLog {
    /** @param {string} id @param {AbortSignal} stop */
    constructor(id, stop) {
        this.after = 0;
        /** @type {LogEvent[]} */
        this.events = [];
        this.detailed = false;
        this.list = h('ol');
        this.scroller = h('div', {class: 'log', tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'Event log'}, this.list);
        this.actions = h('ol', {class: 'actions'});
        this.status = h('span', {class: 'quiet'});
        const detail = h('button', {type: 'button', class: 'toggle', 'aria-pressed': 'false'}, 'Every input event');
        detail.addEventListener('click', () => {
            this.detailed = !this.detailed;
            detail.setAttribute('aria-pressed', String(this.detailed));
            put(this.list, []);
            this.write(this.events);
        });
        this.root = h('section', {class: 'panel'}, h('div', {class: 'title'}, h('h2', {}, 'Event log'), this.status, detail), this.scroller);
        this.actionsRoot = h('section', {class: 'panel'}, h('h2', {}, 'Last actions'), this.actions);
        put(this.actions, [h('li', {class: 'quiet'}, 'None yet.')]);
        whileVisible(
            stop,
            signal => this.read(id, signal),
            trouble => {
                // The view itself tells of a session that ended.
                say(this.status, trouble.message);
                return trouble.status !== 404 && trouble.status !== 410 && !trouble.wantsToken;
            }
        );
    }

    /** @param {string} id @param {AbortSignal} signal */
    async read(id, signal) {
        const at = `/sessions/${encodeURIComponent(id)}/events`;
        if (this.after === 0) {
            // A long log is read from near its end.
            const {last_seq} = await json(`${at}?limit=1`, signal);
            this.after = Math.max(0, last_seq - FIRST);
        }
        const page = await json(`${at}?after=${this.after}&wait_ms=${WAIT_MS}`, signal);
        if (!page.events.length) return;
        this.after = page.events[page.events.length - 1].seq;
        this.events.push(...page.events);
        this.events.splice(0, Math.max(0, this.events.length - 10 * LINES));
        say(this.status, counted(this.after, 'event'));
        this.write(page.events);
        const rows = rowsOf(this.events).slice(-ACTIONS).reverse();
        if (rows.length) put(this.actions, rows.map(actionOf));
    }

    /** Adds lines; who has scrolled back is left where they are. @param {LogEvent[]} events */
    write(events) {
        const {list, scroller} = this;
        const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 24;
        list.append(...events.filter(event => this.detailed || !isDetail(event)).map(lineOf));
        while (list.childElementCount > LINES) list.firstElementChild?.remove();
        if (atEnd) scroller.scrollTop = scroller.scrollHeight;
    }
}
