// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {expect} = require('../lib/expect.js');
const {suite} = require('../lib/suite.js');
const {fakeVm} = require('./fake-vm.js');

/** @typedef {import('../lib/player.js').Player} Player */

/**
 * Runs cases as a judge would, on fake programs.
 * @param {{name: string, run: (player: Player) => Promise<void>}[]} cases
 * @param {object} [limits]
 */
const judge = async (cases, limits = {}) => {
    const loaded = /** @type {any[]} */ ([]);
    const reload = async () => {
        loaded.push(fakeVm());
        return loaded.at(-1);
    };
    const config = /** @type {any} */ ({seed: 1, caseMs: 1000, taskMs: 10000, stage: 'large', reload, ...limits});
    let cleanups = 0;
    const report = await suite(cases)(fakeVm(), config, () => {
        cleanups += 1;
    });
    return {report, loaded, cleanups};
};

const pass = async () => {};
const fail = async () => expect(false, 'the kite should fly');

test('the report counts what it lists', async () => {
    const {report, cleanups} = await judge([
        {name: 'a', run: pass},
        {name: 'b', run: fail}
    ]);
    assert.deepEqual([report.success, report.passed_tests, report.total_tests], [false, 1, 2]);
    assert.equal(report.details[1].error, 'the kite should fly');
    assert.equal(cleanups, 1);
});

test('each case gets a program of its own', async () => {
    const {report, loaded} = await judge([
        {name: 'a', run: pass},
        {name: 'b', run: pass}
    ]);
    assert.ok(report.success);
    assert.equal(loaded.length, 2);
});

test('a case that never ends is cut off and the next one runs', async () => {
    const never = {name: 'never', run: (/** @type {Player} */ player) => player.ticks.pass(1)};
    const {report} = await judge([never, {name: 'b', run: pass}], {caseMs: 20});
    assert.deepEqual(
        report.details.map(detail => [detail.passed, detail.timeout]),
        [
            [false, true],
            [true, undefined]
        ]
    );
});

test('when the time is used up the rest is listed as not passed', async () => {
    const {report} = await judge(
        [
            {name: 'a', run: pass},
            {name: 'b', run: pass}
        ],
        {taskMs: 0}
    );
    assert.deepEqual([report.passed_tests, report.total_tests], [0, 2]);
    assert.ok(report.details.every(detail => detail.timeout));
});

test('a fault of the script is not taken for a failed case', async () => {
    const broken = async () => {
        throw new TypeError('undefined is not a kite');
    };
    await assert.rejects(judge([{name: 'a', run: broken}]), TypeError);
});
