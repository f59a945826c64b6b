// @ts-check
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {definitionOf} = require('../lib/lower-procedure');
const {lowerScript} = require('../lib/lower-script');

/**
 * @typedef {import('../../types/notation').World} World
 * @typedef {import('../../types/notation').State} State
 */

const root = join(__dirname, '../../../../..');
/** @type {import('../../types/notation').Catalogue} */
const catalogue = JSON.parse(readFileSync(join(root, 'src/project/catalogue.json'), 'utf8'));

/** @returns {Promise<import('../../types/notation').Notation>} the parser that the page uses, from the npm package */
const parser = async () => {
    const modules = join(root, 'scratch-gui/node_modules/scratchblocks/syntax');
    const [syntax, blocks] = await Promise.all([import(`${modules}/index.js`), import(`${modules}/blocks.js`)]);
    return {...syntax, ...blocks};
};

/** @param {string} text @returns {Promise<{state: any, literals: any[], comments: any[]}>} the first script, with all in the text declared */
const lower = async text => {
    const notation = await parser();
    const scripts = notation.parse(text, {languages: ['en']}).scripts;
    /** @type {World['procedures']} */
    const procedures = {};
    scripts.forEach(({blocks}, i) => {
        if (blocks[0].info.shape !== 'define-hat') return;
        const definition = definitionOf(blocks[0], `t1.s${i}`, notation);
        procedures[definition.hash] = definition;
    });
    /** @type {World} */
    const world = {
        catalogue,
        notation,
        procedures,
        scope: {
            variables: {score: 'v1', answer: 'v2'},
            lists: {score: 'l1', items: 'l2'},
            broadcast: name => `m.${name}`,
            anyBroadcast: () => 'm.any',
            used: () => {},
            sendsComputed: () => {}
        },
        things: {own: 'Kite', costumes: [], sounds: [], backdrops: [], sprites: [], variablesOf: () => null},
        book: {
            faults: [],
            warnings: [],
            note: () => {},
            warn: () => {},
            attempt: (line, work) => work(),
            fail: (code, message) => {
                throw new Error(`${code}: ${message}`);
            }
        }
    };
    const lowering = lowerScript(world, {prefix: 't1.s0', refresh: true});
    const state = /** @type {State} */ (lowering.stack(scripts[0].blocks));
    return {state, literals: lowering.literals, comments: lowering.comments};
};

/** @param {State} state @returns {unknown} types with what is inside of them, without ids */
const shape = ({type, fields, inputs, next}) => [
    type,
    ...Object.values(fields ?? {}),
    ...Object.values(inputs ?? {}).map(({block, shadow}) => shape(/** @type {State} */ (block ?? shadow))),
    ...(next ? ['then', shape(next.block)] : [])
];

test('labels become blocks with the shadows of the palette', async () => {
    const {state} = await lower('move (7) steps\nsay [hi]');
    assert.deepEqual(shape(state), ['motion_movesteps', ['math_number', '7'], 'then', ['looks_say', ['text', 'hi']]]);
});

test('ids follow the order of the text', async () => {
    const {state} = await lower('move (7) steps\nsay [hi]');
    assert.deepEqual([state.id, state.inputs.STEPS.shadow.id, state.next.block.id], ['t1.s0.0', 't1.s0.1', 't1.s0.2']);
});

test('a reporter lies on the shadow that the palette would put there', async () => {
    const {state} = await lower('move (x position) steps');
    assert.equal(state.inputs.STEPS.block.type, 'motion_xposition');
    assert.deepEqual(state.inputs.STEPS.shadow.fields, {NUM: '10'});
});

test('menus show labels and hold values; a name that looks like a label is marked', async () => {
    assert.deepEqual(shape((await lower('go to (random position v)')).state), ['motion_goto', ['motion_goto_menu', '_random_']]);
    assert.deepEqual(shape((await lower('go to (name:random position v)')).state), ['motion_goto', ['motion_goto_menu', 'random position']]);
    assert.deepEqual(shape((await lower('go to (Ball v)')).state), ['motion_goto', ['motion_goto_menu', 'Ball']]);
});

test('blocks that read alike are told apart by their slots', async () => {
    for (const [text, type] of [
        ['(length of [hello])', 'operator_length'],
        ['(length of [items v])', 'data_lengthoflist'],
        ['<[items v] contains [x]?>', 'data_listcontainsitem'],
        ['<[apple] contains [x]?>', 'operator_contains'],
        ['([abs v] of (3))', 'operator_mathop'],
        ['([x position v] of (Ball v))', 'sensing_of'],
        ['change [pitch v] effect by (1)', 'sound_changeeffectby'],
        ['change [ghost v] effect by (1)', 'looks_changeeffectby'],
        ['if <> then\nend', 'control_if'],
        ['if <> then\nelse\nend', 'control_if_else'],
        ['set pen color to [#00a651]', 'pen_setPenColorToColor']
    ]) {
        assert.equal((await lower(text)).state.type, type, text);
    }
});

test('a colour is one that Scratch loads, also below a reporter', async () => {
    await assert.rejects(lower('set pen color to (5)'), /bad_colour/);
    const covered = (await lower('set pen color to (answer)')).state.inputs.COLOR.shadow;
    assert.equal(covered.fields.COLOUR, '#000000');
});

test('names mean parameters, blocks, variables and lists, in this order, unless they are marked', async () => {
    assert.equal((await lower('(answer)')).state.type, 'sensing_answer');
    assert.match((await lower('(answer :: variables)')).state.fields.VARIABLE, /id="v2"/);
    assert.equal((await lower('(score)')).state.type, 'data_variable');
    assert.equal((await lower('(score :: list)')).state.type, 'data_listcontents');
    assert.equal((await lower('(items)')).state.type, 'data_listcontents');
    const {state} = await lower('define jump (answer)\nsay (answer)');
    assert.equal(state.next.block.inputs.MESSAGE.block.type, 'argument_reporter_string_number');
});

test('My Blocks keep their parameters by name and kind', async () => {
    const {state} = await lower('jump (3) if <mouse down?>\n\ndefine jump (height) if <ready>');
    assert.equal(state.type, 'procedures_call');
    assert.match(state.extraState, /proccode="jump %s if %b"/);
    assert.deepEqual(Object.keys(state.inputs), ['t1.s1.arg0', 't1.s1.arg1']);
    assert.match((await lower('fly [far] :: custom')).state.extraState, /proccode="fly %s"/);
});

test('names in mutations can not break out of their attribute', async () => {
    const {state} = await lower('define say "\\<b\\>" & (a"b)');
    assert.doesNotMatch(state.inputs.custom_block.block.extraState.slice('<mutation '.length, -'></mutation>'.length), /[<>]|&(?!#)/);
});

test('opcodes name blocks that read like others', async () => {
    const {state} = await lower('opcode pen_setPenHueToNumber [HUE] (50)');
    assert.deepEqual(shape(state), ['pen_setPenHueToNumber', ['math_number', '50']]);
});

test('remarks belong to the block of their line', async () => {
    assert.deepEqual((await lower('hide\nmove (1) steps // two \\n lines')).comments, [{block: 't1.s0.1', text: 'two \\n lines'}]);
});

test('what is not understood is refused with its own code', async () => {
    for (const [text, code] of [
        ['jump high', 'unknown_block'],
        ['say (height)', 'unknown_reporter'],
        ['set [height v] to [1]', 'unknown_variable'],
        ['add [1] to [height v]', 'unknown_list'],
        ['if [yes] then\nend', 'bad_slot'],
        ['say <>', 'bad_slot'],
        ['move (fast v) steps', 'bad_slot'],
        ['opcode motion_fly', 'unknown_opcode'],
        ['opcode motion_movesteps [FAR] (1)', 'unknown_input']
    ]) {
        await assert.rejects(lower(text), new RegExp(`^Error: ${code}:`), text);
    }
});
