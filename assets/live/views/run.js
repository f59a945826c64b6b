// @ts-check
// One finished run with its attempts.
import {json} from '../client.js';
import {h} from '../dom.js';
import {age, counted, moment, spaced} from '../lib/words.js';
import {CALLERS, outcomeOf} from './attempt.js';

/** @typedef {{name: string, record: import('../types/api').Attempt}} Named */

/** @param {string} run @param {Named} attempt @param {boolean} outside whether agents from outside made them */
const rowOf = (run, {name, record}, outside) =>
    h(
        'tr',
        {},
        h('th', {scope: 'row'}, h('a', {href: `#/runs/${encodeURIComponent(run)}/${encodeURIComponent(name)}`}, spaced(record.task))),
        outside && h('td', {class: 'when'}, record.began_at ? moment(record.began_at) : '–'),
        outside && h('td', {}, [record.caller && (CALLERS[record.caller] ?? record.caller), record.mode].filter(Boolean).join(', ') || '–'),
        h('td', {class: 'number'}, record.attempt),
        h('td', {}, record.outcome ? outcomeOf(record) : h('span', {class: 'quiet'}, record.lives ? '–' : 'not judged')),
        h('td', {}, record.lives ? outcomeOf({...record, outcome: null}) : spaced(record.ending)),
        h('td', {class: 'number'}, record.steps),
        h('td', {class: 'number'}, record.total_tests ? `${record.passed_tests}/${record.total_tests}` : '–'),
        h('td', {class: 'number'}, age(record.acting_s))
    );

/**
 * @param {string} id
 * @returns {Promise<import('../types/api').View>}
 */
export const runView = async id => {
    const {run, attempts} = await json(`/runs/${encodeURIComponent(id)}`);
    const outside = attempts.some((/** @type {Named} */ {record}) => record.caller !== null || (record.lives && !run.mode));
    const names = ['Task', ...(outside ? ['Began', 'Agent'] : []), 'Try', 'Outcome', 'Ending', 'Steps', 'Tests', 'Time'];
    const head = names.map(name => h('th', {scope: 'col', class: ['Try', 'Steps', 'Tests', 'Time'].includes(name) ? 'number' : null}, name));
    const rows = attempts.map((/** @type {Named} */ attempt) => rowOf(id, attempt, outside));
    const table = h('table', {}, h('caption', {class: 'sr'}, 'Attempts of the run'), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
    const shown = rows.length ? h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Attempts'}, table) : h('p', {class: 'panel'}, run.mode ? 'No attempt of this run was completed.' : 'No agent from outside has begun a task yet.');
    const root = h(
        'div',
        {},
        h('p', {class: 'crumbs'}, h('a', {href: '#/runs'}, 'Runs')),
        h('h1', {tabindex: -1}, [run.agent, run.mode].filter(Boolean).join(', ')),
        h('p', {class: 'quiet'}, [run.started_at && moment(run.started_at), counted(run.tasks.length, 'task'), run.version && `scratchbed ${run.version}`, run.id].filter(Boolean).join(' · ')),
        ...(run.notes ?? []).map((/** @type {string} */ note) => h('p', {class: 'panel'}, note)),
        shown
    );
    return {title: 'Run', root};
};
