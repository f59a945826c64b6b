// @ts-check
const assert = require('node:assert/strict');
const test = require('node:test');
const {fieldText, labelOf, nameOf} = require('../lib/block-text.js');
const {block, choice, label, picture, slot, value} = require('./blocks.js');

const steps = () => slot('STEPS', block('math_number', [slot('', null, value('NUM', '10'))], {shadow: true}));

test('a label reads like the block', () => {
    const move = block('motion_movesteps', [slot('', null, label('move')), steps(), slot('', null, label('steps'))]);
    assert.equal(labelOf(move), 'move 10 steps');
    assert.equal(nameOf(move, true), 'motion_movesteps on canvas: move 10 steps');
    assert.equal(nameOf(move, false), 'motion_movesteps: move 10 steps');
});

test('reporters are in round brackets, conditions in pointed ones, statements left out', () => {
    const x = block('motion_xposition', [slot('', null, label('x\u00a0position'))], {output: 'String'});
    const more = block('operator_gt', [slot('A', x, label('')), slot('', null, label('>')), slot('B', block('text', [slot('', null, value('TEXT', '50'))], {shadow: true}))], {output: 'Boolean'});
    const body = block('motion_movesteps', [slot('', null, label('move'))]);
    const wait = block('control_if', [slot('CONDITION', more, label('if')), slot('SUBSTACK', body)]);
    assert.equal(labelOf(wait), 'if <(x position) > 50>');
});

test('a custom block shows its signature', () => {
    const prototype = block('procedures_prototype', [slot('', null, label('jump'))]);
    const define = block('procedures_definition', [slot('custom_block', prototype, label('define'))]);
    assert.equal(labelOf(define), 'define jump');
});

test('pictures are read only when their text is a word', () => {
    const flag = block('event_whenflagclicked', [slot('', null, label('when'), picture('flag'), label('clicked'), picture('*'))]);
    assert.equal(labelOf(flag), 'when flag clicked');
});

test('a field is named by its slot and the block that the slot belongs to', () => {
    const input = steps();
    const number = input.connection.targetBlock();
    block('motion_movesteps', [slot('', null, label('move')), input]);
    assert.equal(fieldText(number.inputList[0].fieldRow[0], number, true), 'value: 10 field: STEPS of motion_movesteps on canvas');
    const set = block('data_setvariableto', [slot('', null, choice('VARIABLE', 'score'))]);
    assert.equal(fieldText(set.inputList[0].fieldRow[0], set, false), 'value: score dropdown: VARIABLE of data_setvariableto');
});
