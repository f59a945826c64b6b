// @ts-check
// How an experiment stands: decided, spent, when it may be over, what binds, what failed; and the orders for all of it.
import {h, put, say} from '../dom.js';
import {secondsLeft} from '../lib/curves.js';
import {allOf, binding, money, owedOf, stateOf} from '../lib/experiments.js';
import {age, counted, grouped} from '../lib/words.js';
import {ask} from './dialog.js';
import {GateButtons} from './gates.js';

/** @typedef {import('../types/experiments').CurvePoint} CurvePoint */
/** @typedef {import('../types/experiments').Experiment} Experiment */
/** @typedef {import('../types/experiments').Give} Give */
/** @typedef {import('../types/experiments').Status} Status */

/** @param {Status} status @param {CurvePoint[]} points @returns {string} */
const leftWords = ({state, cells, age_ms}, points) => {
    if (owedOf(cells) === 0) return 'nothing';
    if (state !== 'open') return 'stands still';
    const seconds = secondsLeft(points, age_ms, owedOf(cells));
    return seconds === null ? 'too early to tell' : `about ${age(seconds)}`;
};

/** The head of an experiment's page. */
export class Standing {
    /** @param {Status} status @param {Give} give */
    constructor(status, give) {
        this.give = give;
        this.status = status;
        this.state = h('span', {class: 'state'});
        this.binds = h('p', {class: 'binds'});
        this.bar = h('progress', {max: 1, value: 0, 'aria-label': 'Cells decided'});
        this.dd = {decided: h('dd'), spent: h('dd'), tokens: h('dd'), begun: h('dd'), left: h('dd'), owed: h('dd'), dead: h('dd')};
        const fact = (/** @type {string} */ name, /** @type {HTMLElement} */ value) => h('div', {}, h('dt', {}, name), value);
        const {decided, spent, tokens, begun, left, owed, dead} = this.dd;
        const facts = [fact('decided', decided), fact('spent', spent), fact('tokens', tokens), fact('begun', begun), fact('left', left), fact('owed', owed), fact('dead', dead)];
        this.gates = new GateButtons(give);
        this.budget = h('button', {type: 'button', onclick: () => this.askBudget()}, 'Budget …');
        this.orders = h('div', {class: 'tools', hidden: true}, this.gates.root, this.budget);
        this.failures = h('ul', {class: 'failures'});
        this.noFailures = h('p', {class: 'quiet'}, 'No attempt failed without counting.');
        /** @type {Map<string, {root: HTMLElement, text: HTMLElement, button: HTMLElement}>} */
        this.codes = new Map();
        this.root = h('section', {class: 'panel standing', 'aria-label': 'How it stands'}, this.binds, this.bar, h('dl', {}, ...facts), this.orders);
        this.failed = h('section', {class: 'panel', 'aria-labelledby': 'failures-title'}, h('h2', {id: 'failures-title'}, 'Failures that do not count'), this.noFailures, this.failures);
    }

    /** @param {Experiment} experiment @param {CurvePoint[]} points @param {Map<string, number>} dead cells by code */
    show(experiment, points, dead) {
        const {status, may_order: mayOrder} = experiment;
        this.status = status;
        const {cells, spent, budget, age_ms} = status;
        const all = allOf(cells);
        const {word, look} = stateOf(status);
        say(this.state, word);
        this.state.className = `state ${look}`;
        say(this.binds, binding(experiment));
        this.bar.max = Math.max(1, all);
        this.bar.value = cells.decided;
        const of = (/** @type {string} */ is, /** @type {string | false} */ most) => (most ? `${is} of ${most}` : is);
        say(this.dd.decided, `${grouped(cells.decided)} of ${grouped(all)}`);
        say(this.dd.spent, of(money(spent.micro_usd), budget.micro_usd !== null && money(budget.micro_usd)) + (spent.unpriced ? ` and ${counted(spent.unpriced, 'attempt')} of unknown price` : ''));
        say(this.dd.tokens, of(grouped(spent.tokens), budget.tokens !== null && grouped(budget.tokens)));
        say(this.dd.begun, `${age(age_ms / 1000)} ago${budget.wall_ms === null ? '' : `, may take ${age(budget.wall_ms / 1000)}`}`);
        say(this.dd.left, leftWords(status, points));
        say(this.dd.owed, grouped(cells.wanted));
        say(this.dd.dead, grouped(cells.dead));
        this.orders.hidden = !mayOrder;
        this.gates.show(status.state);
        this.showFailures(status.failures, dead, mayOrder);
    }

    /** @param {[string, number][]} failures @param {Map<string, number>} dead @param {boolean} mayOrder */
    showFailures(failures, dead, mayOrder) {
        this.noFailures.hidden = failures.length > 0;
        for (const [code, attempts] of failures) {
            const row = this.codes.get(code) ?? this.addCode(code);
            const cells = dead.get(code) ?? 0;
            put(row.text, [h('code', {}, code), ` ${counted(attempts, 'attempt')}${cells ? `, ${counted(cells, 'cell')} dead` : ''} `]);
            row.button.hidden = !mayOrder || cells === 0;
        }
    }

    /** @param {string} code */
    addCode(code) {
        const askAgain = () =>
            ask({
                title: 'Try dead cells again?',
                text: `All dead cells whose newest attempt failed with ${code} are owed again, and their failures are counted anew.`,
                verb: 'Try again',
                work: () => this.give({order: 'requeue', code})
            });
        const text = h('span');
        const button = h('button', {type: 'button', class: 'small', 'aria-label': `Try dead cells with ${code} again`, onclick: askAgain}, 'Try again …');
        const row = {root: h('li', {}, text, button), text, button};
        this.codes.set(code, row);
        this.failures.append(row.root);
        return row;
    }

    askBudget() {
        const {micro_usd, tokens, wall_ms} = this.status.budget;
        /** @type {{limit: 'usd' | 'tokens' | 'wall', label: string, help?: string, now: number | null, one: number, whole?: boolean}[]} */
        const limits = [
            {limit: 'usd', label: 'Dollars', now: micro_usd, one: 1e6},
            {limit: 'tokens', label: 'Tokens', now: tokens, one: 1, whole: true},
            {limit: 'wall', label: 'Hours since it was begun', now: wall_ms, one: 3.6e6}
        ];
        /** Units of the server in one unit of the field. @type {Record<string, number>} */
        const sent = {usd: 1, tokens: 1, wall: 3600};
        ask({
            title: 'Budget of the experiment',
            text: 'An empty field is no limit. A cell is released only if it fits; what was spent stays spent.',
            verb: 'Change',
            fields: limits.map(({limit, label, now, one, whole}) => ({name: limit, label, kind: 'number', whole, min: 0, value: now === null ? '' : String(now / one)})),
            work: async values => {
                for (const {limit, now, one} of limits) {
                    const value = values[limit] === '' ? null : Number(values[limit]);
                    if (value === (now === null ? null : now / one)) continue;
                    await this.give({order: 'set', limit, value: value === null ? null : value * sent[limit]});
                }
            }
        });
    }
}
