// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {expect} = require('../lib/expect.js');
const {CaseFault, suite} = require('../lib/suite.js');
const {Cancelled} = require('../lib/ticks.js');
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
        // No more than what is left for the report.
        {taskMs: 100}
    );
    assert.deepEqual([report.passed_tests, report.total_tests], [0, 2]);
    assert.ok(report.details.every(detail => detail.timeout));
});

test('a fault of the script is not taken for a failed case, and names the case and the place', async () => {
    const broken = async () => {
        throw new TypeError('undefined is not a kite');
    };
    await assert.rejects(judge([{name: 'flies', run: broken}]), error => {
        assert.ok(error instanceof CaseFault && error.cause instanceof TypeError);
        assert.match(error.message, /^the case "flies" broke: undefined is not a kite$/);
        return /^the case "flies" broke: TypeError: undefined is not a kite\n.*suite\.test\.js/.test(error.stack || '');
    });
});

test('whatever is thrown names the case', async () => {
    const broken = async () => {
        throw 'no error at all';
    };
    await assert.rejects(judge([{name: 'odd', run: broken}]), {message: 'the case "odd" broke: no error at all'});
});

test('after the first failure nothing runs when told so', async () => {
    const cases = [
        {name: 'a', run: pass},
        {name: 'b', run: fail},
        {name: 'c', run: pass}
    ];
    const {report, loaded} = await judge(cases, {stopAtFirstFailure: true});
    assert.deepEqual(report.details[2], {name: 'c', passed: false, error: 'not run after a failure'});
    assert.deepEqual([report.passed_tests, report.total_tests, loaded.length], [1, 3, 2]);
});

test('a case ends at its limit whatever it waits for, and reaches the program no more', async () => {
    let late = () => {};
    /** @type {Promise<any>} */
    let rest = Promise.resolve();
    const deaf = async (/** @type {Player} */ player) => {
        rest = new Promise(resolve => {
            late = () => resolve(null);
        }).then(() => player.tap('a'));
        rest.catch(() => {});
        await rest;
    };
    const {report, loaded} = await judge([{name: 'deaf', run: deaf}], {caseMs: 10});
    assert.equal(report.details[0].timeout, true);
    const before = loaded[0].posted.length;
    late();
    await assert.rejects(rest, Cancelled);
    assert.equal(loaded[0].posted.length, before);
});

test('each case leaves its program at rest', async () => {
    const {loaded} = await judge([
        {name: 'a', run: pass},
        {name: 'b', run: fail}
    ]);
    assert.deepEqual(
        loaded.map(vm => vm.stops),
        [1, 1]
    );
});

test('a forgotten await is a fault of the script', async () => {
    const forgetful = async (/** @type {Player} */ player) => {
        player.ticks.until('the kite landed', () => false, 1000);
    };
    await assert.rejects(judge([{name: 'a', run: forgetful}]), /an await is missing/);
});

test('a case that its limit ends tells what it waited for', async () => {
    const hopeful = async (/** @type {Player} */ player) => player.ticks.until('pigs flew', () => false);
    const {report} = await judge([{name: 'hopeful', run: hopeful}], {caseMs: 10});
    assert.equal(report.details[0].error, 'not done within 10 ms: it never happened that pigs flew');
});

/** @param {(player: Player) => void} look @returns {(player: Player) => Promise<void>} a case in which it is called after each tick */
const observing = look => async player => {
    player.ticks.observe(() => look(player));
    player.vm.runtime._step();
};

test('an expectation in an observer fails its case, even if the case waits no more, and no other one', async () => {
    const {report} = await judge([
        {name: 'a', run: observing(() => expect(false, 'the battery should be empty'))},
        {name: 'b', run: observing(() => {})}
    ]);
    const found = report.details.map(({passed, error, timeout}) => [passed, error, timeout]);
    assert.deepEqual(found, [[false, 'the battery should be empty', undefined], [true, undefined, undefined]]);
});

test('a case that goes on whatever an observer finds, or that its limit ends, fails by what it found', async () => {
    const deaf = async (/** @type {Player} */ player) => {
        await observing(() => expect(false, 'the battery should be empty'))(player);
        await player.ticks.pass(1).catch(() => {});
        await new Promise(() => {});
    };
    const {report} = await judge([{name: 'deaf', run: deaf}], {caseMs: 10});
    assert.deepEqual([report.details[0].error, report.details[0].timeout], ['the battery should be empty', undefined]);
});

test('an observer that breaks is a fault of the script', async () => {
    const broken = observing(() => {
        throw new TypeError('undefined is not a kite');
    });
    await assert.rejects(judge([{name: 'flies', run: broken}]), {message: 'the case "flies" broke: undefined is not a kite'});
});

test('texts that are too long fail the case, and a long message is told by its beginning', async () => {
    const long = async () => {
        throw new RangeError('Invalid string length');
    };
    const told = async () => expect(false, 'x'.repeat(5000));
    const {report} = await judge([{name: 'long', run: long}, {name: 'told', run: told}]);
    assert.deepEqual(
        report.details.map(({error}) => error),
        ['the program has texts that are too long to be put together', `${'x'.repeat(2000)}… (5000 characters)`]
    );
});
