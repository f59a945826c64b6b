// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {converse, dialogue, expectItems} = require('../lib/dialogue.js');
const {Unmet} = require('../lib/expect.js');
const {Player} = require('../lib/player.js');
const {fakeSpeaker, fakeVm} = require('./fake-vm.js');

const speaker = {sprite: 'Owl', asks: ['How many?', 'Of what?']};

/**
 * A program that asks two questions and says both answers, and the second alone afterwards.
 * @param {{tail?: boolean, early?: boolean}} [how] says the second alone afterwards; says something in between
 */
const echo = ({tail = false, early = false} = {}) => {
    const list = {name: 'catch', type: 'list', value: ['old']};
    const vm = fakeVm([{sprite: {name: 'Stage'}, isStage: true, variables: {a: list}}]);
    const owl = fakeSpeaker(vm, 'Owl');
    /** @type {string[]} */
    let answers = [];
    vm.greenFlag = () => {
        answers = [];
        vm.runtime.emit('QUESTION', 'How many?');
    };
    vm.runtime.on('ANSWER', (/** @type {string} */ text) => {
        answers.push(text);
        list.value = [...answers];
        if (early) owl('hm');
        if (answers.length === 1) return vm.runtime.emit('QUESTION', 'Of what?');
        owl(answers.join(' '));
        if (tail) setTimeout(() => owl(answers[1]));
    });
    return {vm, player: new Player(vm)};
};

test('a table becomes cases, each of which plays its rounds in one program', async () => {
    const cases = dialogue(speaker, {
        two: [
            [3, 'eggs', '3 eggs'],
            [1, 'egg', '1 egg']
        ],
        wrong: [[3, 'eggs', '4 eggs']]
    });
    assert.deepEqual(
        cases.map(({name}) => name),
        ['two', 'wrong']
    );
    const {vm, player} = echo();
    await vm.during(cases[0].run(player));
    assert.deepEqual(player.speech.of('Owl'), ['3 eggs', '1 egg']);
    await assert.rejects(vm.during(cases[1].run(player)), {
        name: 'Error',
        message: 'what Owl says for 3, "eggs" should be exactly "4 eggs", but is "3 eggs"'
    });
});

test('a text counts letter by letter, a number as Scratch sees it', async () => {
    const {vm, player} = echo();
    await vm.during(converse(player, speaker, ['0', '7', '0 7']));
    await assert.rejects(vm.during(converse(player, speaker, ['A', 'b', 'A B'])), Unmet);
    await vm.during(converse(player, speaker, ['', '7.0', 7]));
});

test('more or less than was wanted is no answer', async () => {
    const loud = echo({tail: true});
    await assert.rejects(loud.vm.during(converse(loud.player, speaker, [3, 'eggs', '3 eggs'])), /should be 1 in number/);
    await loud.vm.during(converse(loud.player, speaker, [3, 'eggs', ['3 eggs', 'eggs']]));
    const early = echo({early: true});
    await assert.rejects(early.vm.during(converse(early.player, speaker, [3, 'eggs', 'hm'])), /before the last answer/);
    const other = echo();
    const round = converse(other.player, {sprite: 'Owl', asks: ['How much?']}, [3, 3]);
    await assert.rejects(other.vm.during(round), /the question should be "How much\?"/);
});

test('lists are filled before a round and looked at after it', async () => {
    const {vm, player} = echo();
    const round = {given: [3, 'eggs'], lists: {catch: []}, says: '3 eggs', holds: {catch: [3, 'eggs']}};
    await vm.during(converse(player, speaker, round));
    assert.throws(() => expectItems(player, 'catch', [3]), /should have 1 items, but holds "3", "eggs"/);
    assert.throws(() => expectItems(player, 'catch', [3, 'Eggs']), /item 2 of catch/);
});
