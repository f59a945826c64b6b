// @ts-check
// Curves of what was decided and spent over time: scales, lines, rates, and what is left. Nothing here touches the page.

/** @typedef {import('../types/experiments').CurvePoint} CurvePoint */
/** @typedef {{x: number, y: number}} XY */

/** Points that are kept on the page. */
const MOST = 600;
/** So many cells that were decided last say how fast it goes; with fewer than the second it can't be told. */
const [LAST, FEWEST] = [30, 3];

/** Steps between marks of an axis of time, in milliseconds. */
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const TIMES = [
    ...[1, 2, 5, 10, 20, 30].map(n => n * SECOND),
    ...[1, 2, 5, 10, 20, 30].map(n => n * MINUTE),
    ...[1, 2, 3, 6, 12].map(n => n * HOUR),
    ...[1, 2, 5, 10, 20, 50, 100].map(n => n * DAY)
];

/** @param {number} most @param {number} step @returns {number[]} from 0 to at most `most` */
const marks = (most, step) => Array.from({length: Math.floor(most / step + 1e-9) + 1}, (_, i) => Number((i * step).toPrecision(12)));

/**
 * @param {number} most the highest value
 * @param {number} [wanted] about so many steps
 * @returns {number[]} round values from 0 on, the last one not below `most`
 */
export const ticks = (most, wanted = 4) => {
    if (!(most > 0)) return [0, 1];
    const rough = most / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = ([1, 2, 5].find(n => n * power >= rough * (1 - 1e-9)) ?? 10) * power;
    return marks(Math.ceil(most / step - 1e-9) * step, step);
};

/** @param {number} most in milliseconds @param {number} [wanted] @returns {number[]} times that people count in, none beyond `most` */
export const timeTicks = (most, wanted = 4) => marks(most, TIMES.find(step => most / step <= wanted) ?? Math.ceil(most / wanted / DAY) * DAY);

/** @param {number} ms @returns {string} such as `30 s`, `1 min 30 s`, `1 h 30 min` or `2 d` */
export const timeMark = ms => {
    const parts = [[Math.floor(ms / DAY), 'd'], [Math.floor(ms / HOUR) % 24, 'h'], [Math.floor(ms / MINUTE) % 60, 'min'], [Math.floor(ms / SECOND) % 60, 's']];
    return parts.filter(([n]) => n).slice(0, 2).map(([n, unit]) => `${n} ${unit}`).join(' ') || '0 s';
};

/**
 * @param {XY[]} points
 * @param {{x: number, y: number}} most the highest values of the axes
 * @param {{left: number, top: number, width: number, height: number}} area
 * @returns {string} a path; values start at 0 in the lower left corner
 */
export const pathOf = (points, most, {left, top, width, height}) => {
    const place = (/** @type {XY} */ {x, y}) => {
        const [right, up] = [x / (most.x || 1), Math.min(1, y / (most.y || 1))];
        return `${(left + right * width).toFixed(1)} ${(top + height - up * height).toFixed(1)}`;
    };
    return points.map((point, i) => `${i ? 'L' : 'M'}${place(point)}`).join('');
};

/** @param {CurvePoint[]} points @param {number} at_ms @param {'decided' | 'micro_usd'} field @returns {number} what there was then */
export const valueAt = (points, at_ms, field) => {
    const after = points.findIndex(point => point.at_ms > at_ms);
    if (after < 0) return points.length ? points[points.length - 1][field] : 0;
    const to = points[after];
    const from = after ? points[after - 1] : {at_ms: 0, decided: 0, micro_usd: 0};
    const span = to.at_ms - from.at_ms;
    return from[field] + (span ? (to[field] - from[field]) * ((at_ms - from.at_ms) / span) : 0);
};

/**
 * @param {CurvePoint[]} points
 * @param {number} until in milliseconds
 * @param {'decided' | 'micro_usd'} field
 * @param {number} [parts]
 * @returns {XY[]} how much was added in an hour, for each part of the time
 */
export const rates = (points, until, field, parts = 40) => {
    if (!(until > 0) || !points.length) return [];
    const step = until / parts;
    const at = Array.from({length: parts + 1}, (_, i) => valueAt(points, i * step, field));
    return at.slice(1).map((value, i) => ({x: (i + 0.5) * step, y: (Math.max(0, value - at[i]) / step) * HOUR}));
};

/** @param {CurvePoint[]} points @param {number} now_ms @returns {number | null} cells decided in an hour lately; null when it can't be told */
export const rateNow = (points, now_ms) => {
    const last = points[points.length - 1];
    if (!last || last.decided < FEWEST) return null;
    const from = points.findLast(({decided}) => last.decided - decided >= Math.min(LAST, last.decided)) ?? {at_ms: 0, decided: 0};
    const span = Math.max(now_ms, last.at_ms) - from.at_ms;
    return span > 0 ? ((last.decided - from.decided) / span) * HOUR : null;
};

/** @param {CurvePoint[]} points @param {number} now_ms @param {number} owed @returns {number | null} seconds that it may take yet */
export const secondsLeft = (points, now_ms, owed) => {
    if (owed === 0) return 0;
    const rate = rateNow(points, now_ms);
    return rate ? (owed / rate) * 3600 : null;
};

/** @param {CurvePoint[]} points @param {number} most @returns {CurvePoint[]} evenly chosen ones, the last among them */
export const thinned = (points, most) => {
    if (points.length <= most) return points;
    const step = (points.length - 1) / (most - 1);
    return Array.from({length: most}, (_, i) => points[Math.round(i * step)]);
};

/** @param {CurvePoint[]} points @param {CurvePoint} point @returns {CurvePoint[]} with what has come since; the same when nothing has */
export const grown = (points, point) => {
    const last = points[points.length - 1] ?? {at_ms: 0, micro_usd: 0, tokens: 0, decided: 0, passed: 0};
    const isNew = point.at_ms > last.at_ms && (point.decided !== last.decided || point.micro_usd !== last.micro_usd || point.passed !== last.passed);
    return isNew ? [...thinned(points, MOST - 1), point] : points;
};
