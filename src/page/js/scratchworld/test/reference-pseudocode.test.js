// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {OPCODES} = require('../lib/reference-catalogue');
const {referencePseudocode} = require('../lib/reference-pseudocode');

/** @type {(name: string, value: string) => any} */
const field = (name, value) => ({[name]: {name, value}});

/** @type {(name: string, block: string | null) => any} */
const input = (name, block) => ({[name]: {name, block, shadow: null}});

/** @type {(id: string, opcode: string, more?: any) => any} */
const block = (id, opcode, more = {}) => ({id, opcode, fields: {}, inputs: {}, next: null, shadow: false, ...more});

/** @type {(scripts: string[], blocks: any[], more?: any) => import('../lib/reference-pseudocode').Source} */
const source = (scripts, blocks, more = {}) => {
    const byId = new Map(blocks.map(one => [one.id, one]));
    return {scripts, block: id => (id ? byId.get(id) : null), choices: () => null, names: {}, ...more};
};

test('the catalogue has 119 types', () => {
    assert.equal(OPCODES.size, 119);
});

test('the empty workspace has an empty text', () => {
    assert.equal(referencePseudocode(source([], [])).pseudocode, '');
});

test('calls, definitions and comments leave no trace, and an argument is a value without a number', () => {
    const {pseudocode, order} = referencePseudocode(source(['a', 'd', 's', 'x', 'v'], [
        block('a', 'event_whenflagclicked', {next: 'b', comment: 'c1'}),
        block('b', 'procedures_call', {next: 'c'}),
        block('c', 'motion_movesteps', {inputs: input('STEPS', 'n')}),
        block('n', 'argument_reporter_string_number', {fields: field('VALUE', 'n')}),
        block('d', 'procedures_definition', {next: 'e'}),
        block('e', 'looks_show'),
        block('s', 'math_number', {shadow: true, fields: field('NUM', '1')}),
        block('x', 'sensing_answer'),
        block('v', 'data_variable', {fields: field('VARIABLE', 'my variable')})
    ], {names: {data_variable: {variables: ['my variable']}}}));
    assert.equal(pseudocode, [
        '#1 [top] event_whenflagclicked',
        '#2 motion_movesteps',
        '- input STEPS: n (argument_reporter_string_number)',
        '',
        '#3 [top] sensing_answer',
        '',
        '#4 [top] data_variable',
        '- field VARIABLE: "my variable" {choices: {"variables":["my variable"]}}',
        ''
    ].join('\n'));
    assert.deepEqual(order, ['a', 'c', 'x', 'v']);
});

test('some empty slots and branches are shown and others are not', () => {
    const text = (/** @type {boolean} */ structure) => referencePseudocode(source(['a'], [
        block('a', 'control_repeat', {next: 'b', inputs: {...input('SUBSTACK', null), ...input('TIMES', 't')}}),
        block('t', 'math_whole_number', {shadow: true, fields: field('NUM', '')}),
        block('b', 'control_if_else', {next: 'w', inputs: input('SUBSTACK2', 'h')}),
        block('h', 'looks_hide'),
        block('w', 'control_wait_until', {inputs: input('CONDITION', 'o')}),
        block('o', 'operator_and', {inputs: input('OPERAND2', null)})
    ]), structure).pseudocode;
    assert.equal(text(false), [
        '#1 [top] control_repeat',
        '- input TIMES:  (math_whole_number)',
        '#2 control_if_else',
        '- input CONDITION:',
        '- SUBSTACK:',
        '- SUBSTACK2:',
        '  #3 looks_hide',
        '#4 control_wait_until',
        '- input CONDITION:',
        '  #5 operator_and',
        '  - input OPERAND2:',
        '  - input OPERAND1:',
        ''
    ].join('\n'));
    assert.ok(!text(true).includes('- SUBSTACK:'));
    assert.match(text(true), /^#1 \[top\] control_repeat \[ID: a\]$/m);
});

test('menus show their labels, those of default blocks in the structure only within reporters', () => {
    const made = source(['k', 't'], [
        block('k', 'event_whenkeypressed', {fields: field('KEY_OPTION', 'space')}),
        block('t', 'control_wait_until', {inputs: input('CONDITION', 'q')}),
        block('q', 'sensing_touchingobject', {inputs: input('TOUCHINGOBJECTMENU', 'm'), next: null}),
        block('m', 'sensing_touchingobjectmenu', {shadow: true, fields: field('TOUCHINGOBJECTMENU', '_mouse_')})
    ], {choices: (/** @type {string} */ id) => ({k: {keyoptionOptions: ['space', 'a']}, m: {touchingobjectmenuOptions: ['mouse-pointer']}})[id] || null});
    const {pseudocode, choices} = referencePseudocode(made);
    assert.match(pseudocode, /^- field KEY_OPTION: "space" \{choices: \{"keyoptionOptions":\["space","a"\]\}\}$/m);
    assert.match(pseudocode, /_mouse_ \(sensing_touchingobjectmenu\) \{choices: \{"touchingobjectmenuOptions":\["mouse-pointer"\]\}\}$/m);
    assert.deepEqual(Object.keys(choices), ['keyoptionOptions', 'touchingobjectmenuOptions']);
    assert.match(referencePseudocode(made, true).pseudocode, /touchingobjectmenuOptions/);
});
