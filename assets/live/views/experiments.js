// @ts-check
// The experiments of the ledger.
import {json, pause, whileVisible} from '../client.js';
import {h, put, say} from '../dom.js';
import {allOf, money, stateOf} from '../lib/experiments.js';
import {age, counted, grouped} from '../lib/words.js';

/** @typedef {import('../types/experiments').Status} Status */

/** Milliseconds between two looks at the list. */
const PAUSE = 5000;

/** @param {Status} status */
const rowOf = status => {
    const {id, name, why, cells, spent, budget, arms, age_ms} = status;
    const {word, look} = stateOf(status);
    return h(
        'tr',
        {},
        h('th', {scope: 'row'}, h('a', {href: `#/experiments/${encodeURIComponent(id)}`}, name), name !== id && h('span', {class: 'quiet id'}, id)),
        h('td', {}, h('span', {class: `state ${look}`}, word), why && h('span', {class: 'quiet'}, ` ${why}`)),
        h('td', {class: 'number'}, String(arms.length)),
        h('td', {class: 'number'}, `${grouped(cells.decided)}/${grouped(allOf(cells))}`),
        h('td', {class: 'number'}, grouped(cells.dead)),
        h('td', {class: 'number'}, `${money(spent.micro_usd)}${budget.micro_usd === null ? '' : ` of ${money(budget.micro_usd)}`}`),
        h('td', {class: 'when'}, `${age(age_ms / 1000)} ago`)
    );
};

/**
 * @param {{onTrouble: (trouble: import('../client.js').Trouble) => boolean}} frame
 * @returns {import('../types/api').View}
 */
export const experimentsView = ({onTrouble}) => {
    const stop = new AbortController();
    const count = h('p', {class: 'quiet', role: 'status'}, 'Loading …');
    const body = h('tbody');
    const head = ['Experiment', 'State', 'Arms', 'Decided', 'Dead', 'Spent', 'Begun'].map((name, i) => h('th', {scope: 'col', class: i > 1 && i < 6 ? 'number' : null}, name));
    const table = h('table', {}, h('caption', {class: 'sr'}, 'Experiments, newest first'), h('thead', {}, h('tr', {}, ...head)), body);
    const scroll = h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Experiments', hidden: true}, table);
    const empty = h('p', {class: 'panel', hidden: true}, 'No experiments. Begin one with ', h('code', {}, 'scratchbed experiment run FILE'), '.');
    let before = '';
    whileVisible(
        stop.signal,
        async signal => {
            /** @type {{experiments: Status[]}} */
            const {experiments} = await json('/experiments', signal);
            scroll.hidden = experiments.length === 0;
            empty.hidden = experiments.length > 0;
            say(count, experiments.length ? `${counted(experiments.length, 'experiment')}, newest first` : 'None.');
            // Rows are made anew only when they differ, and the focus stays at its experiment.
            const now = JSON.stringify(experiments.map(one => ({...one, age_ms: Math.floor(one.age_ms / 60000)})));
            if (now !== before) {
                const focused = body.querySelector('a:focus')?.getAttribute('href');
                put(body, experiments.map(rowOf));
                [...body.querySelectorAll('a')].find(link => link.getAttribute('href') === focused)?.focus({preventScroll: true});
            }
            before = now;
            await pause(PAUSE, signal);
        },
        onTrouble
    );
    const root = h('div', {}, h('h1', {tabindex: -1}, 'Experiments'), count, empty, scroll);
    return {title: 'Experiments', root, stop: () => stop.abort()};
};
