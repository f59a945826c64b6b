// @ts-check
const assert = require('node:assert/strict');
const {createRequire} = require('node:module');
const {join} = require('node:path');
const {test} = require('node:test');

const {JSDOM} = createRequire(join(__dirname, '../../../../../scratch-gui/package.json'))('jsdom');

const {gapLines, outlines} = require('../lib/block-marks.js');

const {document} = new JSDOM('').window;

/** @param {string} shape @param {number} x @param {Record<string, any>} [more] */
const block = (shape, x, more = {}) => {
    const made = /** @type {any} */ ({
        pathObject: {svgPath: {getAttribute: () => shape}},
        getSvgRoot: () => document.body,
        getRelativeToSurfaceXY: () => ({x, y: 7}),
        getInput: (/** @type {string} */ name) => more.inputs?.[name],
        nextConnection: {x: x + 12, y: 47},
        previousConnection: more.previousConnection ?? null
    });
    return made;
};

/** @param {any} inner what is in the slot or mouth */
const holding = inner => ({connection: {x: 30, y: 20, targetBlock: () => inner, targetConnection: inner && {getSourceBlock: () => inner}}});

const reporter = block('reporter', 60);
const statement = block('statement', 50, {previousConnection: {}});
const outer = block('outer', 40, {inputs: {VALUE: holding(reporter), SUBSTACK: holding(statement), EMPTY: holding(null)}});
const workspace = {getBlockById: (/** @type {string} */ id) => ({outer, reporter, statement})[id]};

/** @param {any[]} marks */
const told = marks => marks.map(mark => ['d', 'transform', 'stroke-dasharray'].map(name => mark.getAttribute(name)));

test('a block is outlined twice, so that it is seen on any colour', () => {
    const marks = outlines(workspace, [{block: 'outer', input: null}]);
    assert.deepEqual(told(marks), [['outer', 'translate(40,7)', null], ['outer', 'translate(40,7)', null]]);
    assert.deepEqual(marks.map(mark => mark.getAttribute('stroke')), ['#ffffff', '#a1004f']);
    assert.deepEqual(outlines(workspace, [{block: 'gone', input: null}]), []);
});

test('a slot is outlined by what is in it, a mouth and an empty slot by their block', () => {
    const outlined = (/** @type {string} */ input) => told(outlines(workspace, [{block: 'outer', input}]))[1][0];
    assert.deepEqual(['VALUE', 'SUBSTACK', 'EMPTY'].map(outlined), ['reporter', 'outer', 'outer']);
});

test('a missing block is a dashed line below the one above it, in its mouth, or above the next', () => {
    const line = (/** @type {any} */ gap) => told(gapLines(workspace, [{above: null, input: null, below: null, ...gap}]))[1];
    assert.deepEqual(line({above: 'outer'}).slice(1), ['translate(52,47)', '16 9']);
    assert.deepEqual(line({above: 'outer', input: 'SUBSTACK'}).slice(1), ['translate(30,20)', '16 9']);
    assert.deepEqual(line({below: 'statement'}).slice(1), ['translate(50,7)', '16 9']);
    assert.deepEqual(line({above: 'outer', input: 'VALUE'}), ['reporter', 'translate(60,7)', '16 9']);
    assert.ok(/^m .* h /.test(String(line({above: 'outer'})[0])), 'a path begins with a move');
});
