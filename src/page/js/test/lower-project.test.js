// @ts-check
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {finishBlocks} = require('../lib/held-blocks');
const {flatten, lowerProject} = require('../lib/lower-project');

/** @typedef {import('../types/notation').TargetScripts} TargetScripts */

const root = join(__dirname, '../../../..');
/** @type {import('../types/notation').Catalogue} */
const catalogue = JSON.parse(readFileSync(join(root, 'src/project/text/catalogue.json'), 'utf8'));

/** @returns {Promise<import('../types/notation').Notation>} the parser that the page uses, from the npm package */
const parser = async () => {
    const modules = join(root, 'scratch-gui/node_modules/scratchblocks/syntax');
    const [syntax, blocks] = await Promise.all([import(`${modules}/index.js`), import(`${modules}/blocks.js`)]);
    return {...syntax, ...blocks};
};

/** @type {import('../types/notation').Fail} */
const fail = (code, message) => {
    throw new Error(`${code}: ${message}`);
};

/** @param {string} name @param {...string} texts of scripts @returns {TargetScripts} a sprite */
const sprite = (name, ...texts) => ({
    name,
    costumes: ['one'],
    sounds: [],
    variables: {},
    lists: {},
    scripts: texts.map((text, i) => ({text, line: 10 * i, refresh: true, x: 0, y: 0}))
});

/** @param {...TargetScripts} targets @returns {Promise<ReturnType<typeof lowerProject>>} the project lowered */
const lower = async (...targets) => lowerProject(targets, {catalogue, notation: await parser(), fail});

test('ids say target, script and place, and messages are those of all targets', async () => {
    const {lowered, messages, opcodes} = await lower(
        sprite('Stage', 'when I receive [go v]'),
        sprite('Kite', 'broadcast [stop v]', 'when green flag clicked\nbroadcast [go v]')
    );
    assert.deepEqual([...messages], [['go', 't0.broadcast.go'], ['stop', 't0.broadcast.stop']]);
    assert.equal(lowered[1][1].state.id, 't1.s1.0');
    assert.ok(opcodes.has('event_broadcast') && opcodes.has('event_whenflagclicked'));
});

test('a call finds the definition of its own sprite', async () => {
    const {lowered} = await lower(sprite('Stage'), sprite('Kite', 'rise (10)', 'define rise (step)\nchange y by (step)'));
    assert.equal(lowered[1][0].state.type, 'procedures_call');
    await assert.rejects(lower(sprite('Stage', 'rise (10)'), sprite('Kite', 'define rise (step)')), /unknown_block: line 0/);
});

test('a text of two scripts is refused with its line', async () => {
    await assert.rejects(lower(sprite('Stage', 'forever\nend\nhide')), /bad_script: line 0/);
});

test('each block is listed with its place', async () => {
    const {lowered} = await lower(sprite('Stage', 'wait (1) seconds\nsay (join [a] [b])'));
    const placed = flatten(lowered[0][0].state).map(({type, input}) => [type, input]);
    assert.deepEqual(placed.slice(0, 3), [['control_wait', null], ['math_positive_number', 'DURATION'], ['looks_say', 'next']]);
});

test('what the editor dropped is refused, and numbers stay as they are written', async () => {
    const {lowered: [scripts]} = await lower(sprite('Stage', 'wait (007) seconds'));
    const [wait, number] = flatten(scripts[0].state);
    const held = () => ({
        [wait.id]: {opcode: 'control_wait', inputs: {DURATION: {block: number.id, shadow: number.id}}},
        [number.id]: {opcode: 'math_positive_number', inputs: {}, fields: {NUM: {name: 'NUM', value: 7}}}
    });
    const taken = held();
    finishBlocks(taken, scripts);
    assert.equal(/** @type {any} */ (taken[number.id]).fields.NUM.value, '007');
    assert.throws(() => finishBlocks({[wait.id]: held()[wait.id]}, scripts), /block_dropped: line 0/);
    const loose = {...held(), [wait.id]: {opcode: 'control_wait', inputs: {}}};
    assert.throws(() => finishBlocks(loose, scripts), /block_refused: line 0.*DURATION/);
});
