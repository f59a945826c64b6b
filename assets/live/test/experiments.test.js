// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {GATES, binding, fits, laneWords, money, orderWords, paceWords, stateOf} from '../lib/experiments.js';

/** @typedef {import('../types/experiments').Lane} Lane */
/** @typedef {import('../types/experiments').Status} Status */
/** @typedef {import('../types/experiments').Worker} Worker */

/** @param {Partial<Status>} is @param {Partial<Status['cells']>} cells @returns {Status} */
const status = (is = {}, cells = {}) => ({
    id: 'e',
    name: 'e',
    state: 'open',
    why: null,
    budget: {micro_usd: null, tokens: null, wall_ms: null},
    age_ms: 1000,
    spent: {micro_usd: 0, tokens: 0, unpriced: 0},
    cells: {wanted: 5, released: 0, running: 2, decided: 3, dead: 0, ...cells},
    arms: [],
    failures: [],
    ...is
});
/** @param {Partial<Lane>} is @returns {Lane} */
const lane = (is = {}) => ({name: 'cloud', in_flight: 40, limit: 40, busy: 3, rpm: null, tpm: null, state: 'open', why: null, closed_ms: 0, failures: 0, ...is});
/** @param {Partial<Worker>} is @returns {Worker} */
const worker = (is = {}) => ({id: 'w', host: 'h', build: 'b', slots: 4, state: 'open', silent_ms: 10, running: 2, why: null, ...is});

/** @param {Status} of @param {Lane[]} lanes @param {Worker[]} workers */
const binds = (of, lanes = [lane()], workers = [worker()]) => binding({status: of, lanes, workers});

test('money reads to the cent, and little of it to a hundredth of that', () => {
    assert.deepEqual([0, 1234, 3_200_000, 3_999_999, 1_203_200_000].map(money), ['$0.00', '$0.0012', '$3.20', '$4.00', '$1,203.20']);
});

test('a state is a word', () => {
    assert.equal(stateOf(status()).word, 'running');
    assert.equal(stateOf(status({}, {running: 0})).word, 'waiting');
    assert.equal(stateOf(status({state: 'held'})).word, 'held');
    assert.equal(stateOf(status({state: 'closed'}, {wanted: 0, running: 0})).word, 'over');
    assert.equal(stateOf(status({}, {wanted: 0, running: 0, dead: 1})).word, 'over, with dead cells');
});

test('only orders that change something make sense', () => {
    const sensible = (/** @type {import('../types/experiments').Gate} */ state) => GATES.filter(gate => fits(gate, state)).map(({order}) => order);
    assert.deepEqual(sensible('open'), ['pause', 'hold', 'drain']);
    assert.deepEqual(sensible('paused'), ['hold', 'drain', 'resume']);
    assert.deepEqual(sensible('closed'), []);
});

test('the strongest limit is told', () => {
    assert.equal(binds(status({}, {wanted: 0, running: 0})), 'Each cell is decided.');
    assert.equal(binds(status({}, {wanted: 0})), 'All that is left is on its way.');
    assert.equal(binds(status({state: 'paused', why: 'the quota is used up'})), 'The quota is used up.');
    assert.equal(binds(status({state: 'paused'})), 'Nothing is released.');
    assert.equal(binds(status({budget: {micro_usd: 5, tokens: null, wall_ms: null}, spent: {micro_usd: 5, tokens: 0, unpriced: 0}})), 'The budget is spent.');
    assert.equal(binds(status({budget: {micro_usd: null, tokens: null, wall_ms: 1000}})), 'The time is over.');
    assert.equal(binds(status({}, {running: 0}), [lane()], []), 'No worker takes cells.');
    assert.equal(binds(status(), [lane({closed_ms: 42_000, failures: 20})]), 'Lane cloud is closed after 20 failures, tried again in 42 s.');
    assert.equal(binds(status(), [lane({limit: 12, busy: 12})]), 'Lane cloud is full, with 12 of 12 attempts at a time.');
    assert.equal(binds(status(), [lane()], [worker({running: 4})]), 'All 4 slots of workers are taken.');
    assert.equal(binds(status()), 'Nothing holds it back.');
});

test('a lane says which of its limits holds', () => {
    assert.equal(laneWords(lane()), 'has room');
    assert.equal(laneWords(lane({limit: 32})), 'cut from 40 to 32, the endpoint refused more');
    assert.equal(laneWords(lane({busy: 40})), 'full');
    assert.equal(laneWords(lane({limit: 32, busy: 32})), 'cut from 40 to 32, the endpoint refused more; full');
    assert.equal(laneWords(lane({limit: 1, failures: 20})), 'one attempt tries whether it answers again');
    assert.equal(laneWords(lane({limit: 0, closed_ms: 90_000, failures: 20})), 'closed after 20 failures, tried again in 1 min');
    assert.equal(laneWords(lane({state: 'paused', why: 'the endpoint refuses the key'})), 'paused: the endpoint refuses the key');
    assert.equal(laneWords(lane({in_flight: 0, limit: 0})), 'its limit is 0');
    assert.equal(paceWords(lane({rpm: 2000, tpm: 4_000_000})), '2,000 requests, 4,000,000 tokens');
    assert.equal(paceWords(lane()), '');
});

test('orders read as what was done', () => {
    assert.equal(orderWords({gate: 'paused', scope: {arm: 'x'}, why: 'too costly'}), 'paused arm x: too costly');
    assert.equal(orderWords({gate: 'open', scope: 'experiment', why: null}), 'resumed the experiment');
    assert.equal(orderWords({limit: 'Usd', scope: 'experiment', value: 600_000_000}), 'set the budget to $600.00');
    assert.equal(orderWords({limit: 'InFlight', scope: {lane: 'cloud'}, value: 20}), 'set attempts at a time of lane cloud to 20');
    assert.equal(orderWords({limit: 'Wall', scope: 'experiment', value: null}), 'took away the limit of the time');
    assert.equal(orderWords({requeue: ['a', 'b']}), 'wants 2 dead cells again');
    assert.equal(orderWords({void: 'e:1', reason: 'the task was wrong'}), 'took back the verdict of e:1: the task was wrong');
    assert.equal(orderWords({created: 'over HTTP'}), 'created it over HTTP');
    assert.equal(orderWords('something new'), 'something new');
});
