// @ts-check
// Arms, lanes and workers of an experiment. Rows are kept while there is such a thing, so that the focus stays on their buttons.
import {h, put, say} from '../dom.js';
import {LOCAL, allOf, gateWord, laneWords, paceWords} from '../lib/experiments.js';
import {age, grouped} from '../lib/words.js';
import {ask} from './dialog.js';
import {askGate} from './gates.js';

/** @typedef {import('../types/experiments').ArmStatus} ArmStatus */
/** @typedef {import('../types/experiments').Lane} Lane */
/** @typedef {import('../types/experiments').Worker} Worker */
/** @typedef {import('../types/experiments').Give} Give */
/** @typedef {{root: HTMLElement, cells: HTMLElement[], button: HTMLElement | null}} Row */

/** A table whose rows are kept by a key. @template T */
class Kept {
    /**
     * @param {string} title
     * @param {string[]} heads those with a `#` before them have numbers
     * @param {string} none what is said of an empty table
     */
    constructor(title, heads, none) {
        const id = `table-${title.toLowerCase()}`;
        /** @type {Map<string, Row & {of: T}>} */
        this.rows = new Map();
        this.numbers = heads.map(head => head.startsWith('#'));
        this.body = h('tbody');
        const head = h('tr', {}, ...heads.map((name, i) => h('th', {scope: 'col', class: this.numbers[i] ? 'number' : null}, name.replace('#', ''))));
        this.scroll = h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${title} as a table`}, h('table', {}, h('thead', {}, head), this.body));
        this.none = h('p', {class: 'quiet'}, none);
        this.root = h('section', {class: 'panel', 'aria-labelledby': id}, h('h2', {id}, title), this.scroll, this.none);
    }

    /**
     * @param {T[]} all
     * @param {(of: T) => string} keyOf
     * @param {(of: T) => string[]} textsOf
     * @param {(row: Row & {of: T}) => HTMLElement | null} buttonOf made once for each row; asks the row what it is about
     */
    show(all, keyOf, textsOf, buttonOf) {
        this.scroll.hidden = all.length === 0;
        this.none.hidden = all.length > 0;
        const keys = new Set(all.map(keyOf));
        for (const [key, row] of this.rows) {
            if (keys.has(key)) continue;
            row.root.remove();
            this.rows.delete(key);
        }
        for (const of of all) {
            const texts = textsOf(of);
            const row = this.rows.get(keyOf(of)) ?? this.add(keyOf(of), of, texts, buttonOf);
            row.of = of;
            texts.forEach((text, i) => say(row.cells[i], text));
        }
    }

    /** @param {string} key @param {T} of @param {string[]} texts @param {(row: Row & {of: T}) => HTMLElement | null} buttonOf */
    add(key, of, texts, buttonOf) {
        const cells = texts.map((_, i) => (i ? h('td', {class: this.numbers[i] ? 'number' : null}) : h('th', {scope: 'row'})));
        const row = {of, root: h('tr', {}, ...cells), cells, button: /** @type {HTMLElement | null} */ (null)};
        row.button = buttonOf(row);
        if (this.numbers.length > texts.length) row.root.append(h('td', {}, row.button));
        this.rows.set(key, row);
        this.body.append(row.root);
        return row;
    }

    /** @param {boolean} shown whether there are orders to give @param {(of: T) => boolean} isOpen whether something may be ordered for a row */
    withButtons(shown, isOpen) {
        this.root.classList.toggle('no-orders', !shown);
        this.rows.forEach(({button, of}) => button && (button.hidden = !isOpen(of)));
    }
}

/** @param {string} text @param {string} label @param {() => void} act */
const small = (text, label, act) => h('button', {type: 'button', class: 'small', 'aria-label': label, onclick: act}, text);

/** The arms. */
export class Arms {
    /** @param {Give} give */
    constructor(give) {
        this.give = give;
        /** @type {Kept<ArmStatus>} */
        this.table = new Kept('Arms', ['Arm', 'State', '#Decided', '#Running', '#Owed', '#Dead', 'Lane', 'Order'], 'There are none.');
        this.root = this.table.root;
    }

    /** @param {ArmStatus[]} arms @param {boolean} mayOrder */
    show(arms, mayOrder) {
        const texts = (/** @type {ArmStatus} */ {label, state, why, cells, lane}) => [
            label,
            `${gateWord(state)}${why ? `: ${why}` : ''}`,
            `${grouped(cells.decided)}/${grouped(allOf(cells))}`,
            grouped(cells.running + cells.released),
            grouped(cells.wanted),
            grouped(cells.dead),
            lane
        ];
        this.table.show(arms, arm => arm.id, texts, row => small('Order …', `Order for arm ${row.of.label}`, () => askGate(`arm ${row.of.label}`, {arm: row.of.label}, row.of.state, this.give)));
        this.table.withButtons(mayOrder, ({state}) => state !== 'closed');
    }
}

/** The lanes. */
export class Lanes {
    /** @param {Give} give */
    constructor(give) {
        this.give = give;
        /** @type {Kept<Lane>} */
        this.table = new Kept('Lanes', ['Lane', '#Busy', 'What holds', 'A minute', 'Order'], 'No arm asks an endpoint.');
        this.root = this.table.root;
    }

    /** @param {Lane[]} lanes @param {boolean} mayOrder */
    show(lanes, mayOrder) {
        const texts = (/** @type {Lane} */ lane) => [
            lane.name,
            `${grouped(lane.busy)} of ${grouped(lane.limit)}${lane.limit < lane.in_flight ? ` (${grouped(lane.in_flight)} configured)` : ''}`,
            laneWords(lane),
            paceWords(lane) || 'no limit'
        ];
        const buttons = (/** @type {Row & {of: Lane}} */ row) =>
            h(
                'span',
                {class: 'buttons'},
                small('Order …', `Order for lane ${row.of.name}`, () => askGate(`lane ${row.of.name}`, {lane: row.of.name}, row.of.state, this.give)),
                small('Limits …', `Limits of lane ${row.of.name}`, () => this.askLimits(row.of))
            );
        this.table.show(lanes.filter(({name}) => name !== LOCAL), lane => lane.name, texts, buttons);
        this.table.withButtons(mayOrder, ({state}) => state !== 'closed');
    }

    /** @param {Lane} lane */
    askLimits({name, in_flight, rpm, tpm}) {
        /** @type {{limit: 'in_flight' | 'rpm' | 'tpm', label: string, now: number | null}[]} */
        const limits = [
            {limit: 'in_flight', label: 'Attempts at a time', now: in_flight},
            {limit: 'rpm', label: 'Requests a minute', now: rpm},
            {limit: 'tpm', label: 'Tokens a minute', now: tpm}
        ];
        ask({
            title: `Limits of lane ${name}`,
            text: 'A lane is shared: this holds for all experiments that use it. An empty field is no limit.',
            verb: 'Change',
            fields: limits.map(({limit, label, now}) => ({name: limit, label, kind: 'number', whole: true, min: 0, required: limit === 'in_flight', value: now === null ? '' : String(now)})),
            work: async values => {
                for (const {limit, now} of limits) {
                    const value = values[limit] === '' ? null : Number(values[limit]);
                    if (value !== now) await this.give({order: 'set', limit, lane: name, value});
                }
            }
        });
    }
}

/** The workers. */
export class Workers {
    constructor() {
        /** @type {Kept<Worker>} */
        this.table = new Kept('Workers', ['Worker', 'State', '#Running', '#Heard'], 'No worker was heard of lately.');
        this.root = this.table.root;
    }

    /** @param {Worker[]} workers */
    show(workers) {
        const texts = (/** @type {Worker} */ {id, state, why, running, slots, silent_ms}) => [
            id,
            `${state === 'open' ? 'takes cells' : gateWord(state)}${why ? `: ${why}` : ''}`,
            `${grouped(running)} of ${grouped(slots)}`,
            `${age(silent_ms / 1000)} ago`
        ];
        this.table.show(workers, worker => worker.id, texts, () => null);
    }
}

/** The orders that were given, newest first. @param {HTMLElement} list @param {import('../types/experiments').Order[]} orders @param {(order: import('../types/experiments').Order) => HTMLElement} lineOf */
export const showOrders = (list, orders, lineOf) => {
    const newest = String(orders.reduce((most, {seq}) => Math.max(most, seq), 0));
    if (list.getAttribute('data-newest') === newest) return;
    list.setAttribute('data-newest', newest);
    put(list, orders.length ? [...orders].sort((a, b) => b.seq - a.seq).map(lineOf) : [h('li', {class: 'quiet'}, 'None yet.')]);
};
