// @ts-check
// The finished runs.
import {json} from '../client.js';
import {h} from '../dom.js';
import {moment} from '../lib/words.js';

/** @param {{run: import('../types/api').Run, attempts: number, passed: number}} row */
const rowOf = ({run, attempts, passed}) =>
    h(
        'tr',
        {},
        h('th', {scope: 'row'}, h('a', {href: `#/runs/${encodeURIComponent(run.id)}`}, run.mode && run.started_at ? moment(run.started_at) : 'Sessions'), h('span', {class: 'quiet id'}, run.mode ? run.id : run.started_at ? `since ${moment(run.started_at)}` : 'none yet')),
        h('td', {}, run.agent),
        h('td', {}, run.mode ?? 'any'),
        h('td', {class: 'number'}, run.tasks.length),
        h('td', {class: 'number'}, attempts),
        h('td', {class: 'number'}, passed)
    );

/** @returns {Promise<import('../types/api').View>} */
export const runsView = async () => {
    const {runs} = await json('/runs');
    const head = ['Began', 'Agent', 'Mode', 'Tasks', 'Attempts', 'Passed'].map((name, i) => h('th', {scope: 'col', class: i > 2 ? 'number' : null}, name));
    const table = h('table', {}, h('caption', {class: 'sr'}, 'Finished runs, newest first'), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...runs.map(rowOf)));
    const none = h('p', {class: 'panel'}, 'No runs yet. Make one with ', h('code', {}, 'scratchbed run'), '.');
    const shown = runs.length ? h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs'}, table) : none;
    return {title: 'Runs', root: h('div', {}, h('h1', {tabindex: -1}, 'Runs'), h('p', {class: 'quiet'}, `${runs.length} shown, newest first`), shown)};
};
