// @ts-check
const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {test} = require('node:test');
const {faultBook} = require('../lib/faults');
const {finishBlocks} = require('../lib/held-blocks');
const {flatten, lowerProject, outcome} = require('../lib/lower-project');
const {teachMouths} = require('../lib/notation-parser');

/** @typedef {import('../../types/notation').TargetScripts} TargetScripts */

const root = join(__dirname, '../../../../..');
/** @type {import('../../types/notation').Catalogue} */
const catalogue = JSON.parse(readFileSync(join(root, 'src/project/catalogue.json'), 'utf8'));

/** @returns {Promise<import('../../types/notation').Notation>} the parser that the page uses, from the npm package */
const parser = async () => {
    const modules = join(root, 'scratch-gui/node_modules/scratchblocks/syntax');
    const [syntax, blocks] = await Promise.all([import(`${modules}/index.js`), import(`${modules}/blocks.js`)]);
    const notation = {...syntax, ...blocks};
    teachMouths(notation, catalogue);
    return notation;
};

/** @param {string} name @param {...string} texts of scripts @returns {TargetScripts} a sprite */
const sprite = (name, ...texts) => ({
    name,
    costumes: ['one'],
    sounds: [],
    variables: [],
    lists: [],
    scripts: texts.map((text, i) => ({text, lines: text.split('\n').map((_, at) => 10 * i + at), refresh: true, x: 0, y: 0}))
});

/** @param {...TargetScripts} targets @returns {Promise<ReturnType<typeof lowerProject> & ReturnType<typeof outcome>>} the project lowered, with what was noted */
const lower = async (...targets) => {
    const book = faultBook();
    const project = lowerProject(targets, {catalogue, notation: await parser(), book});
    return {...project, ...outcome(book, null)};
};

/** @param {import('../../types/notation').Fault[]} found @returns {string[]} lines and codes */
const brief = found => found.map(({line, code}) => `${line} ${code}`);

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
    const {faults} = await lower(sprite('Stage', 'rise (10)'), sprite('Kite', 'define rise (step)'));
    assert.deepEqual(brief(faults), ['0 unknown_block']);
});

test('a text of two scripts is refused with the line where the second begins', async () => {
    assert.deepEqual(brief((await lower(sprite('Stage', 'forever\nend\nhide'))).faults), ['2 bad_script']);
});

test('all faults are told at once, each with its line, those inside of mouths and behind line breaks too', async () => {
    const text = 'mvoe (10) steps\nsay [two\\\nlines]\nforever\n  if <mouse dwn?> then\n    wait (0.5) secnds // a remark\n  else\n    add [1] to [nolist v]\n  end\nend';
    const {faults} = await lower(sprite('Stage', text), sprite('Kite', 'when [spcae v] key pressed\nhide\nsay [open'));
    assert.deepEqual(brief(faults), ['0 unknown_block', '0 bad_choice', '2 unclosed_bracket', '4 unknown_reporter', '5 unknown_block', '7 unknown_list']);
    assert.deepEqual(faults.filter(({code}) => code === 'unknown_block').map(({message, hint}) => [message, hint]), [
        ['"mvoe (10) steps" is no block of the editor or of this sprite', 'did you mean: move (STEPS) steps'],
        ['"wait (0.5) secnds" is no block of the editor or of this sprite', 'did you mean: wait (DURATION) seconds']
    ]);
    const choice = faults.find(({code}) => code === 'bad_choice');
    assert.match(`${choice?.message} ${choice?.hint}`, /"spcae" is no choice of \[KEY_OPTION v\].* did you mean "space"\?/);
    assert.match(String(faults.find(({code}) => code === 'unknown_reporter')?.hint), /did you mean "mouse down\?"/);
});

test('a bracket that is left open is told alone, on its own line, whatever it opens', async () => {
    for (const [text, line] of /** @type {[string, number][]} */ ([
        ['hide\nset size to (40 %\nshow', 1],
        ['forever\n  if <(x position) > (3) and <mouse down? then\n    hide\n  else\n    show\n  end\nend', 1],
        ['when [space v key pressed\nhide', 0],
        ['say [open', 0]
    ])) {
        assert.deepEqual(brief((await lower(sprite('Stage', text))).faults), [`${line} unclosed_bracket`], text);
    }
    const define = await lower(sprite('Stage', 'rise (1)', 'define rise (step\nsay (step)'));
    assert.deepEqual(brief(define.faults), ['10 unclosed_bracket']);
});

test('a word like `else` has it as its hint, and a name that a menu has is told with its arrow', async () => {
    const esle = 'if <> then\n  hide\nesle\n  show\nend';
    const kite = {...sprite('Kite', 'switch costume to (burst)', 'start sound (pop)', 'broadcast (go)', 'wait until <key (space) pressed?>', 'go to (Kite)', 'switch costume to (whale)', esle), costumes: ['burst'], sounds: ['pop']};
    const {faults} = await lower(sprite('Stage'), kite);
    assert.deepEqual(faults.map(({line, hint}) => `${line} ${hint}`), [
        '0 did you mean (burst v)?',
        '10 did you mean (pop v)?',
        '20 did you mean (go v)?',
        '30 did you mean (space v)?',
        '40 did you mean (Kite v)?',
        '50 declare it: variable "whale" = 0',
        '62 did you mean: else'
    ].sort((a, b) => parseInt(a, 10) - parseInt(b, 10)));
});

test('a value in the place of a condition is told in the words of the text', async () => {
    /** @type {TargetScripts} */
    const target = {...sprite('Stage', 'if (pumps) then\n  hide\nend'), variables: [['pumps', 't0.variable.pumps']]};
    const {lowered: [[script]]} = await lower(target);
    const value = flatten(script.state).find(({input}) => input === 'CONDITION');
    assert.deepEqual(script.advice(String(value?.id)), {message: '"if (pumps) then" takes a condition <…>, and (pumps) is a value', hint: 'compare it: <(pumps) = [1]>'});
    assert.equal(script.advice(script.state.id), null);
    const {lowered: [[other]]} = await lower(sprite('Stage', 'wait until <(1) + (2)>'));
    const sum = flatten(other.state).find(({input}) => input === 'CONDITION');
    assert.equal(other.advice(String(sum?.id))?.hint, 'compare it: <((1) + (2)) = [1]>');
});

test('a mouth that is not closed is told with the line that opened it', async () => {
    for (const [text, found] of [
        ['forever\n  hide', ['0 missing_end']],
        ['forever\n  if <> then\n    hide\nend', ['1 missing_end']],
        ['repeat (3)\n  if <> then\n    hide\n  end\nshow', ['0 missing_end']],
        ['while <>\n  hide', ['0 missing_end']],
        ['hide\nend', ['1 stray_end']],
        // Indentation that says something else is no fault as long as all is closed.
        ['forever\nif <> then\nhide\nend\n    end', []]
    ]) {
        assert.deepEqual(brief((await lower(sprite('Stage', /** @type {string} */ (text)))).faults), found, String(text));
    }
});

test('blocks that the parser does not know have mouths too, with `end` or in braces', async () => {
    const ended = 'for each [i v] in (10) // ten\n  while <>\n    hide // gone\n  end\nend\nall at once\n  show\nend';
    const braced = 'for each [i v] in (10) {\n  while <> {\n    hide\n  }\n}\nall at once {\n  show\n}';
    const types = (/** @type {any} */ {lowered: [[script]]}) => flatten(script.state).map(({type, input}) => `${input} ${type}`);
    /** @type {(text: string) => TargetScripts} */
    const target = text => ({...sprite('Stage', text), variables: [['i', 't0.variable.i']]});
    const first = await lower(target(ended));
    assert.deepEqual(first.faults, []);
    assert.deepEqual(types(first), ['null control_for_each', 'VALUE math_number', 'SUBSTACK control_while', 'SUBSTACK looks_hide', 'next control_all_at_once', 'SUBSTACK looks_show']);
    assert.deepEqual(types(await lower(target(braced))), types(first));
    assert.deepEqual(first.lowered[0][0].comments.map(({text}) => text), ['gone', 'ten']);
});

test('names that nothing bears are told, with the nearest; what means something by itself is not', async () => {
    const kite = {...sprite('Kite', 'switch costume to (snial v)', 'start sound (nosuch v)', 'go to (Snial v)', 'say ([sped v] of (Snail v))', 'wait until <key (spcae v) pressed?>'), costumes: ['snail']};
    /** @type {TargetScripts} */
    const snail = {...sprite('Snail'), variables: [['speed', 't2.variable.speed']]};
    const {faults, warnings} = await lower(sprite('Stage'), kite, snail);
    assert.deepEqual(faults, []);
    assert.deepEqual(warnings.map(({line, message, hint}) => `${line}: ${message}; ${hint}`), [
        '0: there is no costume of "Kite" named "snial"; did you mean "snail"? there is: "snail"',
        '10: there is no sound of "Kite" named "nosuch"; there is: none',
        '20: there is no sprite named "Snial"; did you mean "Snail"? there is: "Kite", "Snail"',
        '30: "sped" can\'t be asked of "Snail"; did you mean "speed"? there is: "x position", "y position", "direction", "costume #", "costume name", "size", "volume", "speed"',
        warnings[4] && `40: ${warnings[4].message}; ${warnings[4].hint}`
    ]);
    assert.match(`${warnings[4].message} ${warnings[4].hint}`, /"spcae" is none of the menu's entries did you mean "space"\?/);
    const fine = ['switch costume to (2 v)', 'switch costume to (next costume v)', 'go to (random position v)', 'go to (Kite v)', 'say ([x position v] of (Kite v))', 'say ([backdrop # v] of (Stage v))', 'switch backdrop to (one v)', 'create clone of (myself v)', 'switch costume to (join [a] [b])', 'wait until <key (name:w2 v) pressed?>'];
    assert.deepEqual((await lower(sprite('Stage'), sprite('Kite', ...fine))).warnings, []);
});

test('messages without a sender or a receiver are told, whatever their case', async () => {
    const {warnings} = await lower(sprite('Stage', 'when I receive [start v]', 'when I receive [Done v]'), sprite('Kite', 'broadcast [strat v]', 'broadcast [done v]'));
    assert.deepEqual(warnings.map(({line, code, hint}) => `${line} ${code} ${hint}`), ['0 message_not_received did you mean "start"?', '0 message_not_sent did you mean "strat"?']);
    const computed = await lower(sprite('Stage', 'when I receive [start v]'), sprite('Kite', 'broadcast (join [st] [art])'));
    assert.deepEqual(computed.warnings, []);
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
    /** @type {string[]} */
    const refused = [];
    scripts.forEach(script => (script.refuse = (id, code, message) => void refused.push(`${code}: ${message}`)));
    const taken = held();
    finishBlocks(taken, scripts);
    assert.equal(/** @type {any} */ (taken[number.id]).fields.NUM.value, '007');
    assert.deepEqual(refused, []);
    finishBlocks({[wait.id]: held()[wait.id]}, scripts);
    assert.match(String(refused.pop()), /^block_dropped: /);
    const loose = {...held(), [wait.id]: {opcode: 'control_wait', inputs: {}}};
    finishBlocks(loose, scripts);
    assert.match(String(refused.pop()), /^block_refused: .*DURATION/);
});

test('names that every object has as a property are names like any other', async () => {
    for (const name of ['constructor', 'valueOf', '__proto__']) {
        const {faults} = await lower(sprite('Stage'), sprite('Kite', `say (${name})`, `set [${name} v] to [1]`, name));
        assert.deepEqual(brief(faults), ['0 unknown_reporter', '10 unknown_variable', '20 unknown_block'], name);
        /** @type {TargetScripts} */
        const kite = {...sprite('Kite', `${name}\nsay (${name})`, `define ${name}\nhide`), variables: [[name, 't1.variable.x']]};
        const known = await lower(sprite('Stage'), kite);
        assert.deepEqual(brief(known.faults), [], name);
        const [call, definition] = known.lowered[1].map(script => /** @type {any} */ (script.state));
        assert.deepEqual([call.type, definition.type], ['procedures_call', 'procedures_definition'], name);
        assert.match(call.next.block.inputs.MESSAGE.block.fields.VARIABLE, /id="t1\.variable\.x"/, name);
    }
    assert.deepEqual(brief((await lower(sprite('Stage', 'opcode constructor'))).faults), ['0 unknown_opcode']);
});
