// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {boxOf, fitting, inSight, layoutOf, placeAt, scrolledTo} from '../lib/heat.js';

const items = Array.from({length: 83}, (_, i) => `item_${i}`);
const layout = layoutOf(1150, 190, {items, arms: 8, epochs: 3});

test('a paper’s table fits a window, and few items don’t become huge', () => {
    assert.ok(layout.width <= 1150 && layout.cellWidth >= 11, JSON.stringify(layout));
    assert.ok(layout.height < 500, JSON.stringify(layout));
    assert.ok(layoutOf(1200, 190, {items: ['a'], arms: 1, epochs: 1}).cellWidth <= 30);
    assert.ok(layoutOf(300, 110, {items, arms: 8, epochs: 3}).width > 300, 'it scrolls where it does not fit');
});

test('a point in a cell is that cell, and names and gaps are none', () => {
    for (const place of [{row: 0, column: 0}, {row: 2, column: 5}, {row: 3, column: 82}, {row: 23, column: 41}]) {
        const {left, top, width, height} = boxOf(layout, place);
        assert.deepEqual(placeAt(layout, left + 1, top + 1), place);
        assert.deepEqual(placeAt(layout, left + width - 0.1, top + height - 0.1), place);
    }
    assert.equal(placeAt(layout, 10, layout.head + 10), null);
    assert.equal(placeAt(layout, layout.label + 10, 5), null);
    assert.equal(placeAt(layout, layout.label + 10, layout.head + layout.band - 1), null);
    assert.equal(placeAt(layout, layout.width + 1, layout.head + 1), null);
});

test('only what is in sight is drawn, and all of what is', () => {
    const of = {rows: 24, columns: 83};
    assert.deepEqual(inSight(layout, {left: 0, top: 0, width: layout.width, height: layout.height}, of), {rows: [0, 24], columns: [0, 83]});
    const some = inSight(layout, {left: 240, top: layout.band, width: 400, height: layout.head + layout.band}, of);
    assert.deepEqual(some.rows, [3, 6]);
    assert.deepEqual(some.columns, [Math.floor(240 / layout.cellWidth), Math.ceil((240 + 400 - 190) / layout.cellWidth)]);
});

test('a cell is scrolled to beside the names, as little as possible', () => {
    const sight = {left: 100, top: 50, width: 400, height: 200};
    const wide = layoutOf(400, 110, {items, arms: 20, epochs: 3});
    const near = {row: 6, column: 14};
    assert.deepEqual(scrolledTo(sight, wide, near), {left: 100, top: 50});
    for (const place of [{row: 0, column: 0}, {row: 59, column: 82}, {row: 30, column: 40}]) {
        const {left, top} = scrolledTo(sight, wide, place);
        const box = boxOf(wide, place);
        assert.ok(box.left - left >= wide.label && box.left + box.width - left <= sight.width, JSON.stringify(place));
        assert.ok(box.top - top >= wide.head && box.top + box.height - top <= sight.height, JSON.stringify(place));
    }
});

test('names are cut to the room that they have', () => {
    assert.equal(fitting('kite_gusts', 100), 'kite_gusts');
    assert.equal(fitting('a_very_long_name', 40), 'a_very…');
});
