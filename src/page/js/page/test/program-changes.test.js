// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {flattened, programChanges} = require('../lib/program-changes.js');

/** @type {(id: string, opcode: string, more?: any) => any} */
const block = (id, opcode, more = {}) => ({id, opcode, fields: [], inputs: [], comment: null, procedure: null, ...more});
/** @type {(name: string, value: string) => any} */
const value = (name, value) => ({name, kind: 'value', blocks: [], shadow: {opcode: 'math_number', field: {name: 'NUM', value}}});
/** @type {(name: string, blocks: any[]) => any} */
const mouth = (name, blocks) => ({name, kind: 'statement', blocks, shadow: null});
/** @type {(scripts: any[], more?: any) => any} */
const program = (scripts, more = {}) => ({target: 's', blocks: flattened(scripts), targets: [], ...more});

const move = block('m', 'motion_movesteps', {inputs: [value('STEPS', '10')]});
const [hat, hide, show] = [block('h', 'event_whenflagclicked'), block('a', 'looks_hide'), block('b', 'looks_show')];

test('nothing is different in the same program', () => {
    assert.equal(programChanges(program([[hat, move]]), program([[hat, move]]), true), null);
});

test('new blocks come with their values and their place, and indexes that changed are told in runs', () => {
    const after = program([[hat, move, hide, show]]);
    assert.deepEqual(programChanges(program([[hat, hide, show]]), after, true), {
        added: ['#2 motion_movesteps (STEPS: 10) below #1 event_whenflagclicked'],
        renumbered: ['#2-#3 -> #3-#4']
    });
    assert.deepEqual(programChanges(program([[hat, hide, show]]), after, false), {
        added: ['motion_movesteps (STEPS: 10) below event_whenflagclicked']
    });
});

test('a block that was moved is told once, and those that only gave way are not', () => {
    const loop = (/** @type {any[]} */ inside) => block('r', 'control_forever', {inputs: [mouth('SUBSTACK', inside)]});
    assert.deepEqual(programChanges(program([[hat, hide], [loop([])]]), program([[hat, loop([]), hide]]), false), {
        moved: ['control_forever (SUBSTACK) below event_whenflagclicked']
    });
    assert.deepEqual(programChanges(program([[hat, hide, show], [loop([])]]), program([[hat], [loop([hide, show])]]), false), {
        moved: ['looks_hide in SUBSTACK of control_forever (SUBSTACK)']
    });
    assert.deepEqual(programChanges(program([[hat, hide]]), program([[hat], [hide]]), true), {moved: ['#2 looks_hide loose']});
});

test('values are told with what they were; names that could be taken for more are quoted', () => {
    const far = block('m', 'motion_movesteps', {inputs: [value('STEPS', '1, STEPS: 2')]});
    assert.deepEqual(programChanges(program([[move]]), program([[far]]), true), {
        changed: ['#1 motion_movesteps STEPS: "1, STEPS: 2", was 10']
    });
});

test('what is gone, and what is different elsewhere, is told by name', () => {
    const target = (/** @type {string} */ name, /** @type {string} */ variables, /** @type {string} */ blocks) => ({id: name, name, parts: {blocks, variables}});
    const before = program([[hide]], {target: 'Cat', targets: [target('Cat', '', 'x'), target('Dog', '', ''), target('Owl', '', '')]});
    const after = program([], {target: 'Cat', targets: [target('Cat', 'score', 'y'), target('Dog', '', 'z'), target('Elk', '', '')]});
    assert.deepEqual(programChanges(before, after, false), {
        removed: ['looks_hide'],
        elsewhere: ['Owl: removed', 'Cat: variables', 'Dog: blocks', 'Elk: added']
    });
    assert.equal(programChanges(program([[hide]]), {...program([[show]]), target: 'other'}, false), null, 'another target was opened');
});

test('long lists are cut', () => {
    const many = Array.from({length: 50}, (_, at) => [block(`b${at}`, 'looks_hide')]);
    const {added} = /** @type {any} */ (programChanges(program([]), program(many), false));
    assert.deepEqual([added.length, added[40]], [41, 'and 10 more']);
});
