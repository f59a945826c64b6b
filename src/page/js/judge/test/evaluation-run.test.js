// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {currentEvaluation, startEvaluation} = require('../lib/evaluation-run.js');

const quietConsole = () => Object.fromEntries(['debug', 'log', 'info', 'warn', 'error'].map(level => [level, () => {}]));

/**
 * Runs a script on a VM that is only a word, and returns how it ended.
 * @param {string} source
 * @param {object} [rest] in place of the usual job
 */
const evaluate = async (source, rest = {}) => {
    let loads = 0;
    startEvaluation({
        script: {name: 'wave.js', source},
        prelude: null,
        helpers: [],
        // eslint-disable-next-line no-eval -- what a page hands in.
        compile: globalThis.eval,
        time: {
            scriptGlobals: {Date},
            hold: (/** @type {any} */ work) => work,
            run: async (/** @type {() => Promise<void>} */ script) => {
                await script();
                return true;
            },
            elapsed: () => 0,
            end: () => {}
        },
        console: quietConsole(),
        config: {seed: 3},
        load: async () => {
            loads += 1;
        },
        drive: null,
        conclude: async () => 'trace',
        current: () => ({name: `vm ${loads}`, stopAll() {}}),
        ...rest
    });
    const evaluation = currentEvaluation();
    assert.ok(evaluation);
    assert.equal(evaluation.progress.state, 'running');
    await evaluation.ended;
    return evaluation;
};

test('a report comes out as plain data, with what was printed', async () => {
    const source = `module.exports = async (vm, config, cleanup) => {
        console.log('hello');
        await config.reload();
        cleanup();
        return {vm: vm.name, seed: config.seed, gone: undefined};
    };`;
    const {progress, lines} = await evaluate(source);
    assert.deepEqual(progress, {state: 'reported', report: {vm: 'vm 1', seed: 3}, error: null, trace: 'trace'});
    assert.deepEqual(lines, ['log: hello']);
});

test('nothing returned is a report of null, for the judge to refuse', async () => {
    assert.deepEqual((await evaluate('module.exports = async () => {};')).progress.report, null);
});

test('a script that throws is told from a project that does not load', async () => {
    const broken = await evaluate('module.exports = async () => { throw new Error("oh"); };');
    assert.equal(broken.progress.state, 'threw');
    assert.match(broken.progress.error || '', /oh[^]*eval-scripts\/wave\.js:1/);
    const load = async () => {
        throw new Error('no targets');
    };
    const unloadable = await evaluate('module.exports = async () => 1;', {load});
    assert.equal(unloadable.progress.state, 'unloadable');
});

test('a report that is no data is the script\'s fault', async () => {
    const source = 'module.exports = async () => { const a = {}; a.a = a; return a; };';
    assert.equal((await evaluate(source)).progress.state, 'threw');
});

test('a script asks for the errors that its project writes, and its own are none of them', async () => {
    /** @type {any} */
    const console = quietConsole();
    const source = `module.exports = async (vm, config) => {
        console.error('of the script');
        await config.reload();
        vm.write();
        return [config.newErrors(), config.newErrors(['broken'])];
    };`;
    const rest = {console, current: () => ({stopAll() {}, write: () => console.error('broken')})};
    const {progress, lines} = await evaluate(source, rest);
    assert.deepEqual(progress.report, [['broken'], []]);
    assert.deepEqual(lines, ['error: of the script', 'error: broken']);
});
