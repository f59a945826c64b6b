// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {endRegion} = require('../lib/drag-ends');
const {dragPath} = require('../lib/drag-path');
const {nameOf, simulate} = require('../lib/drag-search');
const {runsOf} = require('../lib/pixel-rows');

const rules = {
    radii: {snap: 48, keep: 68, preference: 20},
    scale: 0.75,
    path: {threshold: 4, stride: 30, fewest: 3, most: 14}
};

/** Connections that lie still, whatever preview is shown: the wanted one, and another one to its right. */
const neighbours = [{id: 0, x: 200, y: 100, fits: true}, {id: 1, x: 330, y: 110, fits: true}];
/** @type {import('../lib/drag-search').Layout} */
const layout = {locals: [{x: 0, y: 0, neighbours}], places: new Map(neighbours.map(({id, x, y}) => [id, {x, y}]))};
const probe = {
    locals: ['own'],
    numbers: {connections: ['wanted', 'other']},
    layout: () => layout,
    show: async () => layout
};

test('the region has all ends that playing every drag finds, also those where a preview outstays its reach', async () => {
    const {runs, aim} = await endRegion(probe, (_, neighbour) => neighbour === 'wanted', rules);
    assert.deepEqual(aim, [150, 75]);
    const box = {left: -50, top: -100, right: 350, bottom: 250};
    const ends = (/** @type {number} */ x, /** @type {number} */ y) => {
        const {candidate} = simulate(dragPath(rules.path, x, y, rules.scale), layout, () => layout, rules.radii);
        return candidate !== null && nameOf(candidate) === '0|0';
    };
    assert.deepEqual(runs, runsOf(box, ends));
    const farthest = Math.max(...runs.map(([y, , x]) => Math.hypot(x / 0.75 - 200, y / 0.75 - 100)));
    assert.ok(farthest > 68, `${farthest} units`);
});
