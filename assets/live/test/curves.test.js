// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {grown, pathOf, rateNow, rates, secondsLeft, thinned, ticks, timeMark, timeTicks, valueAt} from '../lib/curves.js';

const HOUR = 3_600_000;
/** Ten cells in each hour. */
const steady = Array.from({length: 100}, (_, i) => ({at_ms: ((i + 1) * HOUR) / 10, micro_usd: (i + 1) * 1000, tokens: 0, decided: i + 1, passed: i}));

test('axes have round marks', () => {
    assert.deepEqual(ticks(97), [0, 50, 100]);
    assert.deepEqual(ticks(10), [0, 5, 10]);
    assert.deepEqual(ticks(7), [0, 2, 4, 6, 8]);
    assert.deepEqual(ticks(0.3), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(ticks(0), [0, 1]);
    assert.deepEqual(timeTicks(3 * HOUR).map(timeMark), ['0 s', '1 h', '2 h', '3 h']);
    assert.deepEqual(timeTicks(100_000).map(timeMark), ['0 s', '30 s', '1 min', '1 min 30 s']);
    assert.ok(timeTicks(900 * 24 * HOUR).length <= 6);
    assert.deepEqual([90 * 60_000, 26 * HOUR, 48 * HOUR].map(timeMark), ['1 h 30 min', '1 d 2 h', '2 d']);
});

test('a path begins at the lower left and ends at the upper right', () => {
    const area = {left: 10, top: 0, width: 100, height: 50};
    assert.equal(pathOf([{x: 0, y: 0}, {x: 5, y: 10}], {x: 5, y: 10}, area), 'M10.0 50.0L110.0 0.0');
    assert.equal(pathOf([{x: 0, y: 0}], {x: 0, y: 0}, area), 'M10.0 50.0');
});

test('what there was between two points lies between them', () => {
    assert.equal(valueAt(steady, HOUR, 'decided'), 10);
    assert.equal(valueAt(steady, HOUR * 1.05, 'decided'), 10.5);
    assert.equal(valueAt(steady, HOUR / 20, 'decided'), 0.5);
    assert.equal(valueAt(steady, 99 * HOUR, 'decided'), 100);
    assert.equal(valueAt([], HOUR, 'decided'), 0);
});

test('a steady experiment has a steady rate', () => {
    const all = rates(steady, 10 * HOUR, 'decided');
    assert.equal(all.length, 40);
    for (const {y} of all) assert.ok(Math.abs(y - 10) < 1e-6, String(y));
    assert.deepEqual(rates([], HOUR, 'decided'), []);
});

test('what is left follows from the last cells, and time without any makes it more', () => {
    assert.equal(rateNow(steady, 10 * HOUR), 10);
    assert.equal(secondsLeft(steady, 10 * HOUR, 20), 7200);
    assert.ok((secondsLeft(steady, 13 * HOUR, 20) ?? 0) > 2 * 7200 - 1);
    assert.equal(secondsLeft(steady, 10 * HOUR, 0), 0);
    assert.equal(secondsLeft(steady.slice(0, 2), HOUR, 5), null);
    assert.equal(secondsLeft([], HOUR, 5), null);
});

test('points are thinned evenly, and grow only by what is new', () => {
    const few = thinned(steady, 5);
    assert.deepEqual(few.map(({decided}) => decided), [1, 26, 51, 75, 100]);
    assert.equal(thinned(steady, 100), steady);
    const last = steady[99];
    assert.equal(grown(steady, {...last, at_ms: last.at_ms + 1}), steady);
    assert.equal(grown(steady, {...last, at_ms: last.at_ms + 1, micro_usd: 200_000}).length, 101);
    assert.equal(grown([], {...last, decided: 1}).length, 1);
});
