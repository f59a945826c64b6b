// @ts-check
// One experiment while it goes on: one stream of changes, and all that is shown follows it.
import {json, pause, send, whileVisible} from '../client.js';
import {h, say} from '../dom.js';
import {Cells, deadByCode, passedOf} from '../lib/cells.js';
import {orderWords, owedOf} from '../lib/experiments.js';
import {moment} from '../lib/words.js';
import {CellPanel} from '../parts/cell.js';
import {Curves} from '../parts/curves.js';
import {Heat} from '../parts/heat.js';
import {Standing} from '../parts/standing.js';
import {Arms, Lanes, Workers, showOrders} from '../parts/tables.js';
import {stream} from '../stream.js';

/** @typedef {import('../client.js').Trouble} Trouble */
/** @typedef {import('../types/experiments').Cell} Cell */
/** @typedef {import('../types/experiments').CellList} CellList */
/** @typedef {import('../types/experiments').Experiment} Experiment */
/** @typedef {import('../types/experiments').Order} Order */

/** Milliseconds until a stream that has ended is asked for again: one of an experiment that goes on, and of one that is over. */
const [SOON, LATER] = [1000, 15000];

/** @param {Order} order */
const orderLine = ({at, who, what}) => h('li', {}, h('span', {class: 'quiet'}, `${moment(at / 1000)} `), h('b', {}, who), ` ${orderWords(what)}`);

/** The page of an experiment. */
class Page {
    /** @param {string} at address of the experiment @param {Experiment} experiment @param {CellList} list @param {{points: import('../types/experiments').CurvePoint[]}} curves */
    constructor(at, experiment, list, {points}) {
        this.at = at;
        this.experiment = experiment;
        this.cursor = list.cursor;
        this.stop = new AbortController();
        /** Ends the wait for an experiment that is over. */
        this.wake = () => {};
        const give = (/** @type {import('../types/experiments').Command} */ command) => this.give(command);
        this.cells = new Cells(list);
        this.panel = new CellPanel(give, () => this.heat.focus());
        this.heat = new Heat(this.cells, {onOpen: (cell, place) => this.panel.open(cell, this.cells.nameOf(place), this.experiment.may_order), onEscape: () => void this.panel.close()});
        this.curves = new Curves(points, experiment.status);
        this.standing = new Standing(experiment.status, give);
        this.arms = new Arms(give);
        this.lanes = new Lanes(give);
        this.workers = new Workers();
        this.orders = h('ol', {class: 'actions'});
        this.live = h('span', {class: 'live-state', role: 'status'});
        this.told = h('p', {class: 'sr', role: 'status'});
        this.tell('connecting …', false);
        this.root = this.put();
        this.show();
    }

    put() {
        const {name, id} = this.experiment.status;
        const log = h('section', {class: 'panel', 'aria-labelledby': 'orders-title'}, h('h2', {id: 'orders-title'}, 'Orders'), this.orders);
        return h(
            'div',
            {class: 'experiment'},
            h('p', {class: 'crumbs'}, h('a', {href: '#/experiments'}, 'Experiments')),
            h('div', {class: 'title'}, h('h1', {tabindex: -1}, name), this.standing.state, this.live),
            name !== id && h('p', {class: 'quiet id'}, id),
            this.told,
            this.standing.root,
            this.heat.root,
            this.panel.root,
            this.curves.root,
            this.arms.root,
            this.lanes.root,
            h('div', {class: 'pair'}, this.workers.root, this.standing.failed),
            log
        );
    }

    /** Shows what was told of the experiment. */
    show() {
        const {experiment} = this;
        const {status, lanes, workers, orders, may_order: mayOrder} = experiment;
        const cells = this.cells.all();
        this.curves.add(status, passedOf(cells));
        this.standing.show(experiment, this.curves.points, deadByCode(cells));
        this.arms.show(status.arms, mayOrder);
        this.lanes.show(lanes, mayOrder);
        this.workers.show(workers);
        showOrders(this.orders, orders, orderLine);
    }

    /** @param {import('../types/experiments').Command} command */
    async give(command) {
        const {order} = await send(`${this.at}/orders`, command);
        say(this.told, `The order was noted: ${orderWords(order?.what ?? order)}.`);
        this.wake();
    }

    /** @param {import('../lib/sse.js').Message} message @returns {boolean} false when the list of cells must be asked for again */
    take({event, id, data}) {
        const told = JSON.parse(data);
        let fits = true;
        if (event === 'cells') {
            fits = this.cells.update(told.cells);
            this.heat.changed();
            this.follow(told.cells);
        } else if (event === 'status') {
            this.experiment = told;
            this.show();
        }
        this.cursor = id || told.cursor || this.cursor;
        return fits;
    }

    /** The cell in the panel changes with the others. @param {Cell[]} changed */
    follow(changed) {
        const cell = changed.find(({id}) => id === this.panel.cell?.id);
        if (cell) this.panel.show(cell, this.experiment.may_order);
    }

    /** Asks for the cells of an experiment that has grown. @param {AbortSignal} signal */
    async again(signal) {
        /** @type {CellList} */
        const list = await json(`${this.at}/cells`, signal);
        this.cells = new Cells(list);
        this.cursor = list.cursor;
        this.heat.setCells(this.cells);
    }

    /** Reads the stream until it ends. @param {AbortSignal} signal */
    async read(signal) {
        let fits = true;
        const ended = new AbortController();
        try {
            await stream(`${this.at}/events?after=${encodeURIComponent(this.cursor)}`, AbortSignal.any([signal, ended.signal]), {
                onOpen: () => this.tell('live', true),
                onMessage: message => {
                    fits = this.take(message) && fits;
                    if (!fits) ended.abort();
                }
            });
        } catch (error) {
            if (fits || signal.aborted) throw error;
        }
        if (!fits) return this.again(signal);
        // The stream of an experiment that is over ends; it may be taken up again by anyone.
        const isOver = owedOf(this.experiment.status.cells) === 0 || this.experiment.status.state === 'closed';
        if (!isOver) this.tell('not live, connecting …', false);
        const woken = new AbortController();
        this.wake = () => woken.abort();
        await pause(isOver ? LATER : SOON, AbortSignal.any([signal, woken.signal]));
    }

    /** @param {string} text @param {boolean} isLive */
    tell(text, isLive) {
        say(this.live, text);
        this.live.classList.toggle('is-live', isLive);
    }

    /** @param {(trouble: Trouble) => boolean} onTrouble */
    start(onTrouble) {
        let hasRead = false;
        void whileVisible(
            this.stop.signal,
            async signal => {
                // A stream that was away tells what changed in cells; curves are asked for anew.
                if (hasRead) this.curves.set((await json(`${this.at}/curves`, signal)).points);
                hasRead = true;
                await this.read(signal);
            },
            trouble => {
                if (trouble.wantsToken || trouble.status === 404) return onTrouble(trouble);
                const goesOn = trouble.status === 0 || trouble.status >= 500 || trouble.status === 429;
                this.tell(`not live: ${trouble.message}${goesOn ? ' Trying again.' : ` ${trouble.hint ?? ''}`}`, false);
                return goesOn;
            }
        );
    }
}

/**
 * @param {string} id
 * @param {{onTrouble: (trouble: Trouble) => boolean}} frame
 * @returns {Promise<import('../types/api').View>}
 */
export const experimentView = async (id, {onTrouble}) => {
    const at = `/experiments/${encodeURIComponent(id)}`;
    const [experiment, list, curves] = await Promise.all([json(at), json(`${at}/cells`), json(`${at}/curves`)]);
    const page = new Page(at, experiment, list, curves);
    page.start(onTrouble);
    const stop = () => {
        page.stop.abort();
        page.heat.stop();
    };
    return {title: `Experiment ${experiment.status.name}`, root: page.root, stop};
};
