// @ts-check
// One finished run with its attempts.
import {json} from '../client.js';
import {h} from '../dom.js';
import {age, moment, spaced} from '../lib/words.js';

/** @param {string} run @param {{name: string, record: import('../types/api').Attempt}} attempt */
const rowOf = (run, {name, record}) =>
    h(
        'tr',
        {},
        h('th', {scope: 'row'}, h('a', {href: `#/runs/${encodeURIComponent(run)}/${encodeURIComponent(name)}`}, spaced(record.task))),
        h('td', {class: 'number'}, record.attempt),
        h('td', {}, h('span', {class: `outcome ${record.outcome}`}, spaced(record.outcome))),
        h('td', {}, spaced(record.ending)),
        h('td', {class: 'number'}, record.steps),
        h('td', {class: 'number'}, `${record.passed_tests}/${record.total_tests}`),
        h('td', {class: 'number'}, age(record.acting_s))
    );

/**
 * @param {string} id
 * @returns {Promise<import('../types/api').View>}
 */
export const runView = async id => {
    const {run, attempts} = await json(`/runs/${encodeURIComponent(id)}`);
    const names = ['Task', 'Try', 'Outcome', 'Ending', 'Steps', 'Tests', 'Time'];
    const head = names.map(name => h('th', {scope: 'col', class: ['Try', 'Steps', 'Tests', 'Time'].includes(name) ? 'number' : null}, name));
    const rows = attempts.map((/** @type {any} */ attempt) => rowOf(id, attempt));
    const table = h('table', {}, h('caption', {class: 'sr'}, 'Attempts of the run'), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
    const shown = rows.length ? h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Attempts'}, table) : h('p', {class: 'panel'}, 'No attempt of this run was completed.');
    const root = h(
        'div',
        {},
        h('p', {class: 'crumbs'}, h('a', {href: '#/runs'}, 'Runs')),
        h('h1', {tabindex: -1}, `${run.agent}, ${run.mode}`),
        h('p', {class: 'quiet'}, `${moment(run.started_at)} · ${run.tasks.length} tasks · scratchbed ${run.version} · ${run.id}`),
        ...(run.notes ?? []).map((/** @type {string} */ note) => h('p', {}, note)),
        shown
    );
    return {title: 'Run', root};
};
