// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {closest, nameOf, simulate, step} = require('../lib/drag-search');
const {dragPath} = require('../lib/drag-path');

/** @typedef {import('../lib/drag-search').Neighbour} Neighbour */

const RADII = {snap: 48, keep: 68, preference: 20};

/**
 * @param {[number, number, number][]} places id, x, y
 * @returns {Neighbour[]}
 */
const rows = places => places.map(([id, x, y]) => ({id, x, y, fits: true})).sort((a, b) => a.y - b.y);

/**
 * @param {{x: number, y: number, to: [number, number, number][]}[]} locals
 * @returns {import('../lib/drag-search').Layout}
 */
const layout = locals => ({
    locals: locals.map(({x, y, to}) => ({x, y, neighbours: rows(to)})),
    places: new Map(locals.flatMap(({to}) => to.map(([id, x, y]) => /** @type {[number, {x: number, y: number}]} */ ([id, {x, y}]))))
});

test('the nearest within the limit is found, the limit included', () => {
    const places = rows([[1, 0, 0], [2, 0, 30], [3, 100, 30]]);
    assert.deepEqual(closest(places, 0, 20, 48), {id: 2, distance: 10});
    assert.deepEqual(closest(places, 48, 0, 48), {id: 1, distance: 48});
    assert.equal(closest(places, 148.01, 30, 48), null);
    assert.equal(closest([], 0, 0, 48), null);
});

test('what does not fit is passed over', () => {
    const places = rows([[1, 0, 0], [2, 0, 10]]);
    places[0].fits = false;
    assert.equal(closest(places, 0, 0, 48)?.id, 2);
});

test('of two equally near ones the lower wins, as the database walks up first', () => {
    assert.equal(closest(rows([[1, 0, 0], [2, 0, 20]]), 0, 10, 48)?.id, 2);
});

test('a later connection of the block wins a tie', () => {
    const both = layout([{x: 0, y: 0, to: [[1, 0, 10]]}, {x: 0, y: 50, to: [[2, 0, 60]]}]);
    assert.deepEqual(step(both, null, {dx: 0, dy: 0}, RADII), {local: 1, neighbour: 2});
});

test('a preview that is shown is kept further than it is caught', () => {
    const one = layout([{x: 0, y: 0, to: [[1, 0, 0]]}]);
    const shown = {local: 0, neighbour: 1};
    assert.equal(step(one, null, {dx: 60, dy: 0}, RADII), null);
    assert.deepEqual(step(one, shown, {dx: 60, dy: 0}, RADII), shown);
    assert.equal(step(one, shown, {dx: 69, dy: 0}, RADII), null);
});

test('another preview must be nearer by more than the preference', () => {
    const two = layout([{x: 0, y: 0, to: [[1, 0, 0], [2, 40, 0]]}]);
    const shown = {local: 0, neighbour: 1};
    assert.deepEqual(step(two, shown, {dx: 29, dy: 0}, RADII), shown);
    assert.equal(nameOf(step(two, shown, {dx: 31, dy: 0}, RADII)), '0|2');
});

test('a drag asks for the layout of the preview that its last move showed', () => {
    const start = layout([{x: 0, y: 0, to: [[1, 100, 0]]}]);
    const moved = layout([{x: 0, y: 0, to: [[1, 500, 0]]}]);
    const path = [{dx: 90, dy: 0}, {dx: 100, dy: 0}];
    assert.deepEqual(simulate(path, start, () => null, RADII), {candidate: {local: 0, neighbour: 1}, missing: true});
    assert.deepEqual(simulate(path, start, () => moved, RADII), {candidate: null, missing: false});
});

test('a path passes the threshold, moves on evenly and rests at the end', () => {
    const rules = {threshold: 12, stride: 40, fewest: 4, most: 15};
    assert.deepEqual(dragPath(rules, 0, 0), [{dx: 0, dy: 0}, {dx: 0, dy: 0}]);
    const short = dragPath(rules, 50, 0).map(({dx}) => dx);
    assert.deepEqual(short.map(Math.round), [12, 10, 20, 30, 40, 50, 50]);
    assert.equal(dragPath(rules, 0, 300).length, 1 + 8 + 2);
    assert.equal(dragPath(rules, 900, 0).length, 1 + 15 + 2);
});
