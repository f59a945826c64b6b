// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {added, differences, pieces} from '../lib/notation.js';

const kinds = (/** @type {string} */ line) => pieces(line).map(({kind, text}) => `${kind}:${text}`);

test('brackets of each kind are pieces, with what is inside of them', () => {
    assert.deepEqual(kinds('move (10) steps'), ['plain:move ', 'value:(10)', 'plain: steps']);
    assert.deepEqual(kinds('if <(a) < (5)> then'), ['plain:if ', 'condition:<(a) < (5)>', 'plain: then']);
    assert.deepEqual(kinds('wait until <<(a) > (5)> and <b>>').slice(1), ['condition:<<(a) > (5)> and <b>>']);
    assert.deepEqual(kinds('say [a (b) c]'), ['plain:say ', 'choice:[a (b) c]']);
    assert.deepEqual(kinds('  end'), ['plain:  ', 'word:end']);
    assert.deepEqual(kinds('stop // why'), ['plain:stop ', 'note:// why']);
});

test('pieces together are the line, whatever it holds', () => {
    for (const line of ['', '(', '[x', 'a \\[ b', 'say [it\\] ] (', '<>', 'x \\', 'if <(a) < (5)> then']) {
        assert.equal(pieces(line).map(({text}) => text).join(''), line);
    }
});

test('only lines that were not there are new', () => {
    assert.deepEqual(added(['a', 'b'], ['a', 'x', 'b', 'c']), [false, true, false, true]);
    assert.deepEqual(added([], ['a']), [true]);
    assert.deepEqual(added(['a', 'b', 'c'], ['c']), [false]);
});

test('differences tell what is new and what is gone, whatever the blocks are numbered', () => {
    assert.deepEqual(
        differences('#1 a\n#2 b\n#3 c', '#1 a\n#2 x\n#3 c\n#4 d').map(({kind, text}) => `${kind} ${text}`),
        ['same #1 a', 'gone #2 b', 'new #2 x', 'same #3 c', 'new #4 d']
    );
    assert.deepEqual(differences('#1 a\n#2 b', '#1 b').map(({kind, text}) => `${kind} ${text}`), ['gone #1 a', 'same #1 b']);
});
