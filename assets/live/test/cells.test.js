// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Cells, deadByCode, kindOf, passedOf, stateWords} from '../lib/cells.js';

/** @typedef {import('../types/experiments').Cell} Cell */

/** @param {Partial<Cell>} is @returns {Cell} */
const cell = is => ({id: 'c', arm: 0, item: 0, epoch: 1, state: 'wanted', tries: 0, infra: 0, provider: 0, outcome: null, passed: null, total: null, code: null, run: null, attempt: null, ...is});

/** Two arms of three items in two epochs; the second arm lacks the item in the middle. */
const grid = () => {
    const places = [0, 1].flatMap(arm => [0, 1, 2].flatMap(item => [1, 2].map(epoch => ({arm, item, epoch}))));
    const cells = places.filter(({arm, item}) => arm === 0 || item !== 1).map(place => cell({...place, id: Object.values(place).join('-')}));
    return new Cells({arms: [{id: 'e/1', label: 'llm'}, {id: 'e/2', label: 'noop'}], items: ['a', 'b', 'c'], epochs: 2, cells, cursor: ''});
};

test('each epoch of an arm is a row and each item a column', () => {
    const cells = grid();
    assert.deepEqual([cells.rows, cells.columns, cells.all().length], [4, 3, 10]);
    assert.equal(cells.at({row: 3, column: 2})?.id, '1-2-2');
    assert.equal(cells.at({row: 2, column: 1}), null);
    assert.equal(cells.at({row: 4, column: 0}), null);
    assert.equal(cells.nameOf({row: 3, column: 2}), 'noop, c, epoch 2');
});

test('keys go from cell to cell, over places without one, and stay at the edges', () => {
    const cells = grid();
    const from = {row: 2, column: 0};
    assert.deepEqual(cells.moved(from, 'ArrowRight'), {row: 2, column: 2});
    assert.deepEqual(cells.moved({row: 2, column: 2}, 'ArrowRight'), {row: 2, column: 2});
    assert.deepEqual(cells.moved({row: 0, column: 1}, 'ArrowDown'), {row: 1, column: 1});
    assert.deepEqual(cells.moved({row: 1, column: 1}, 'ArrowDown'), {row: 1, column: 1});
    assert.deepEqual(cells.moved(from, 'ArrowUp'), {row: 1, column: 0});
    assert.deepEqual(cells.moved(from, 'PageUp'), {row: 0, column: 0});
    assert.deepEqual(cells.moved({row: 1, column: 2}, 'PageDown'), {row: 3, column: 2});
    assert.deepEqual(cells.moved(from, 'End'), {row: 2, column: 2});
    assert.deepEqual(cells.moved({row: 2, column: 2}, 'Home'), from);
    assert.equal(cells.moved(from, 'x'), null);
});

test('a change takes the place of what was there, and a cell without a place is told', () => {
    const cells = grid();
    assert.equal(cells.update([cell({arm: 1, item: 2, epoch: 1, state: 'decided', outcome: 'passed'})]), true);
    assert.equal(passedOf(cells.all()), 1);
    assert.equal(cells.update([cell({item: 3})]), false);
    assert.equal(cells.update([cell({arm: 2})]), false);
});

test('kinds and words tell what came of a cell', () => {
    assert.equal(kindOf(cell({state: 'decided', outcome: 'limit'})), 'stopped');
    assert.equal(kindOf(cell({state: 'running', outcome: null})), 'running');
    assert.equal(stateWords(cell({})), 'owed');
    assert.equal(stateWords(cell({state: 'decided', outcome: 'failed', passed: 3, total: 5, tries: 2, code: 'infra_error'})), 'failed, 3 of 5 tests, 2 tries');
    assert.equal(stateWords(cell({state: 'decided', outcome: 'agent_error', tries: 1, total: 0})), 'agent error');
    assert.equal(stateWords(cell({state: 'dead', tries: 3, code: 'provider_error'})), 'dead, 3 tries, provider_error');
    assert.equal(stateWords(cell({state: 'wanted', tries: 1, code: 'given_back'})), 'owed, 1 try, given_back');
});

test('dead cells are counted by their code', () => {
    const dead = deadByCode([cell({state: 'dead', code: 'a'}), cell({state: 'dead', code: 'a'}), cell({state: 'wanted', code: 'a'}), cell({state: 'dead'})]);
    assert.deepEqual([...dead], [['a', 2]]);
});

