// @ts-check
// What was decided and spent over time, as curves and as a table.
import {h, put, svg} from '../dom.js';
import {grown, pathOf, rateNow, rates, thinned, ticks, timeMark, timeTicks} from '../lib/curves.js';
import {money} from '../lib/experiments.js';
import {grouped} from '../lib/words.js';

/** @typedef {import('../types/experiments').CurvePoint} CurvePoint */
/** @typedef {import('../types/experiments').Status} Status */
/** @typedef {{name: string, look: 'first' | 'second' | 'limit', points: import('../lib/curves.js').XY[]}} Line */
/** @typedef {{title: string, summary: string, lines: Line[], until: number, mark: (value: number) => string, most?: number}} Chart */

/** Size of a chart in its own units, and where the lines are. */
const [WIDTH, HEIGHT] = [420, 210];
const AREA = {left: 60, top: 12, width: 348, height: 168};
/** Rows of the table. */
const ROWS = 24;

/** @param {Chart} chart @returns {HTMLElement} */
const chartOf = ({title, summary, lines, until, mark, most = 0}) => {
    const values = ticks(Math.max(most, ...lines.flatMap(({points}) => points.map(({y}) => y))));
    const top = {x: until, y: values[values.length - 1]};
    const {left, width, height} = AREA;
    const bottom = AREA.top + height;
    const grid = values.map(value => {
        const y = bottom - (value / top.y) * height;
        return svg('g', {}, svg('line', {class: 'rule', x1: left, x2: left + width, y1: y, y2: y}), svg('text', {class: 'mark-y', x: left - 6, y: y + 4}, mark(value)));
    });
    const times = timeTicks(until).map(at => svg('text', {class: 'mark-x', x: left + (at / (until || 1)) * width, y: bottom + 18}, timeMark(at)));
    const drawn = lines.map(({look, points}) => svg('path', {class: `curve ${look}`, d: pathOf(points, top, AREA)}));
    const names = lines.map(({name, look}) => h('li', {}, svg('svg', {class: 'swatch', viewBox: '0 0 24 8', 'aria-hidden': 'true'}, svg('path', {class: `curve ${look}`, d: 'M1 4L23 4'})), name));
    return h(
        'figure',
        {class: 'chart'},
        h('figcaption', {}, h('b', {}, title), h('ul', {class: 'legend'}, ...names)),
        svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': summary}, ...grid, ...times, ...drawn)
    );
};

/** The curves. */
export class Curves {
    /** @param {CurvePoint[]} points @param {Status} status */
    constructor(points, status) {
        this.points = points;
        this.status = status;
        this.charts = h('div', {class: 'charts'});
        this.table = h('div');
        this.details = h('details', {ontoggle: () => this.writeTable()}, h('summary', {}, 'The curves as a table'), this.table);
        this.root = h('section', {class: 'panel', 'aria-labelledby': 'curves-title'}, h('h2', {id: 'curves-title'}, 'Over time'), this.charts, this.details);
        this.draw();
    }

    /** @param {CurvePoint[]} points all of them, anew */
    set(points) {
        this.points = points;
        this.draw();
    }

    /** @param {Status} status @param {number} passed cells that passed */
    add(status, passed) {
        this.status = status;
        const {age_ms, cells, spent} = status;
        const points = grown(this.points, {at_ms: age_ms, micro_usd: spent.micro_usd, tokens: spent.tokens, decided: cells.decided, passed});
        if (points === this.points) return;
        this.set(points);
    }

    draw() {
        const {points, status} = this;
        const last = points[points.length - 1];
        const none = !last && h('p', {class: 'quiet'}, 'Nothing has come to an end yet.');
        this.details.hidden = !last;
        if (!last) return put(this.charts, [none]);
        const until = last.at_ms;
        const of = (/** @type {'decided' | 'passed' | 'micro_usd'} */ field) => [{x: 0, y: 0}, ...points.map(point => ({x: point.at_ms, y: point[field]}))];
        const budget = status.budget.micro_usd;
        const [rate, time] = [rateNow(points, until), timeMark(until)];
        const speed = rates(points, until, 'decided');
        const whole = (/** @type {number} */ value) => (Number.isInteger(value) ? grouped(value) : String(value));
        /** @type {Chart[]} */
        const charts = [
            {
                title: 'Cells decided',
                summary: `After ${time}, ${grouped(last.decided)} cells were decided and ${grouped(last.passed)} of them passed.`,
                lines: [{name: 'decided', look: 'first', points: of('decided')}, {name: 'passed', look: 'second', points: of('passed')}],
                until,
                mark: whole
            },
            {
                title: 'Spent',
                summary: `After ${time}, ${money(last.micro_usd)} were spent${budget === null ? '' : ` of ${money(budget)}`}.`,
                lines: [
                    {name: 'spent', look: 'first', points: of('micro_usd')},
                    ...(budget === null ? [] : [{name: 'budget', look: /** @type {const} */ ('limit'), points: [{x: 0, y: budget}, {x: until, y: budget}]}])
                ],
                until,
                most: 10000,
                mark: money
            },
            {
                title: 'Cells in an hour',
                summary: rate === null ? 'Too few cells were decided to tell how fast it goes.' : `Lately ${grouped(rate)} cells were decided in an hour.`,
                lines: [{name: 'decided', look: 'first', points: speed}],
                until,
                mark: whole
            }
        ];
        put(this.charts, charts.map(chartOf));
        this.writeTable();
    }

    /** The table is written only while it is open. */
    writeTable() {
        if (!this.details.open) return;
        const head = ['After', 'Decided', 'Passed', 'Spent', 'Tokens'].map((name, i) => h('th', {scope: 'col', class: i ? 'number' : null}, name));
        const rows = thinned(this.points, ROWS).map(({at_ms, decided, passed, micro_usd, tokens}) =>
            h('tr', {}, h('th', {scope: 'row'}, timeMark(at_ms)), ...[grouped(decided), grouped(passed), money(micro_usd), grouped(tokens)].map(text => h('td', {class: 'number'}, text)))
        );
        const table = h('table', {}, h('caption', {class: 'sr'}, 'What was decided and spent'), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
        put(this.table, [h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Curves as a table'}, table)]);
    }
}
