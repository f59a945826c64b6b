// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {converse, dialogue, expectItems} = require('../lib/dialogue.js');
const {Unmet} = require('../lib/expect.js');
const {Player} = require('../lib/player.js');
const {fakeSpeaker, fakeVm} = require('./fake-vm.js');

const speaker = {sprite: 'Owl', asks: ['How many?', 'Of what?']};

/**
 * A program that asks two questions and says both answers.
 * @param {{tail?: boolean, early?: boolean, later?: number, slow?: number, type?: 'say' | 'think'}} [how] says the second alone
 *     afterwards; says something in between; says something so many ticks later; computes for so many ticks; how it speaks
 */
const echo = ({tail = false, early = false, later = 0, slow = 0, type = 'say'} = {}) => {
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
        if (slow === 0) return answered();
        vm.runtime.threads = [{updateMonitor: false, isKilled: false}];
        after(slow, answered);
    });
    const answered = () => {
        vm.runtime.threads = [];
        owl(answers.join(' '), type);
        if (tail) setTimeout(() => owl(answers[1]));
        if (later > 0) after(later, () => owl('Thanks!'));
    };
    const player = new Player(vm);
    const after = (/** @type {number} */ ticks, /** @type {() => void} */ act) => {
        const due = player.ticks.count + ticks;
        const stop = player.ticks.observe(tick => {
            if (tick < due) return;
            stop();
            act();
        });
    };
    return {vm, player};
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

test('texts and numbers count letter by letter', async () => {
    const {vm, player} = echo();
    await vm.during(converse(player, speaker, ['0', '7', '0 7']));
    await assert.rejects(vm.during(converse(player, speaker, ['A', 'b', 'A B'])), Unmet);
    await assert.rejects(vm.during(converse(player, speaker, ['', '7.0', 7])), Unmet);
    await vm.during(converse(player, {sprite: 'Owl', asks: speaker.asks}, ['1', '2', '1 2']));
});

test('more or less than was wanted is no answer', async () => {
    const loud = echo({tail: true});
    await assert.rejects(loud.vm.during(converse(loud.player, speaker, [3, 'eggs', '3 eggs'])), /should be 1 in number/);
    await loud.vm.during(converse(loud.player, speaker, [3, 'eggs', ['3 eggs', 'eggs']]));
    const early = echo({early: true});
    await assert.rejects(early.vm.during(converse(early.player, speaker, [3, 'eggs', 'hm'])), /before the last answer/);
    const other = echo();
    const round = converse(other.player, {sprite: 'Owl', asks: ['How much?']}, [3, 3]);
    await assert.rejects(other.vm.during(round), /the question should be exactly "How much\?"/);
});

test('a second text much later is heard after the last round of a case, and after others when it comes at once', async () => {
    const {vm, player} = echo({later: 30});
    const cases = dialogue(speaker, {two: [[3, 'eggs', '3 eggs'], [1, 'egg', '1 egg']]});
    await assert.rejects(vm.during(cases[0].run(player)), /says for 1, "egg" should be 1 in number, but is "1 egg", "Thanks!"/);
});

test('what is only thought is no answer, and a program that ends without one fails long before the limit', async () => {
    const {vm, player} = echo({type: 'think'});
    await assert.rejects(vm.during(converse(player, speaker, [3, 'eggs', '3 eggs'])), /all scripts ended, and it never happened that Owl said "3 eggs"/);
    assert.ok(player.ticks.count < 80);
});

test('a program may think as long as it likes before it answers', async () => {
    const {vm, player} = echo({slow: 500});
    await vm.during(converse(player, speaker, [3, 'eggs', '3 eggs']));
    assert.ok(player.ticks.count > 500);
});

test('one question too many fails at once', async () => {
    const {vm, player} = echo();
    await assert.rejects(vm.during(converse(player, speaker, [3, '3'])), /Owl should say "3" for 3, but asks "Of what\?"/);
});

test('a round may have questions of its own', async () => {
    const {vm, player} = echo();
    await vm.during(converse(player, {sprite: 'Owl'}, {asks: speaker.asks, given: [3, 'eggs'], says: '3 eggs'}));
});

test('a round that is broken off waits for no result', async () => {
    const {vm, player} = echo();
    const cases = dialogue(speaker, {broken: [{given: [3]}, [4, 'eggs', '4 eggs']]});
    await vm.during(cases[0].run(player));
    assert.deepEqual(player.speech.of('Owl'), ['4 eggs']);
});

test('lists are filled before a round and looked at after it', async () => {
    const {vm, player} = echo();
    const round = {given: [3, 'eggs'], lists: {catch: []}, says: '3 eggs', holds: {catch: [3, 'eggs']}};
    await vm.during(converse(player, speaker, round));
    assert.throws(() => expectItems(player, 'catch', [3]), /should have 1 items, but holds "3", "eggs"/);
    assert.throws(() => expectItems(player, 'catch', [3, 'Eggs']), /item 2 of catch/);
    assert.throws(() => expectItems(player, 'catch', [3, 'eggs'], 'Owl'), /no list named catch of Owl/);
});
