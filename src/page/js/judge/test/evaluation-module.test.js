// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {resolve, runScript} = require('../lib/evaluation-module.js');

// eslint-disable-next-line no-eval -- what a page hands in.
const compile = globalThis.eval;
/**
 * @param {string} source
 * @param {{name: string, source: string}[]} [helpers]
 * @param {string} [prelude]
 */
const script = (source, helpers = [], prelude = '') => ({
    compile,
    script: {name: 'wave.js', source},
    prelude: prelude ? {name: 'utils.js', source: prelude} : null,
    helpers
});

test('a module gets its arguments and the judge\'s globals', async () => {
    const source = 'module.exports = async (vm, config) => [vm, config, Date];';
    assert.deepEqual(await runScript(script(source), {Date: 'clock'}, ['vm', 'config']), ['vm', 'config', 'clock']);
});

test('the paper\'s form returns at its top level', async () => {
    const source = '// A comment first.\nreturn (async function (vm) { return {success: vm.ok}; })(window.vm);';
    assert.deepEqual(await runScript(script(source), {window: {vm: {ok: true}}}, []), {success: true});
});

test('helpers are loaded once and may require each other', async () => {
    const helpers = [
        {name: 'lib/a.js', source: 'exports.b = require("./b.js"); exports.n = 1;'},
        {name: 'lib/b.js', source: 'exports.id = {};'}
    ];
    const source = 'const a = require("./lib/a.js"); const b = require("./lib/b"); module.exports = () => a.b === b && a.n;';
    assert.equal(await runScript(script(source, helpers), {}, []), 1);
    assert.equal(resolve('lib/a.js', '../wave'), 'wave.js');
});

test('errors name file and line', async () => {
    const source = 'module.exports = async () => {\n    null.x;\n};';
    await assert.rejects(runScript(script(source), {}, []), error =>
        /eval-scripts\/wave\.js:2:/.test(/** @type {Error} */ (error).stack || ''));
});

test('a missing helper, and a script without a function, say so', async () => {
    await assert.rejects(runScript(script('require("fs")'), {}, []), /no helper/);
    await assert.rejects(runScript(script('const x = 1;'), {}, []), /neither exports/);
});

test('a prelude runs before the script and shares its globals', async () => {
    const prelude = 'window.EvaluationUtils = {three: () => 3};';
    const source = 'module.exports = async () => window.EvaluationUtils.three();';
    assert.equal(await runScript(script(source, [], prelude), {window: {}}, []), 3);
});

test('what a prelude leaves on window is known by its bare name, which a script may take for itself', async () => {
    const prelude = 'window.EvaluationUtils = {three: () => 3};';
    for (const source of [
        'module.exports = async () => EvaluationUtils.three();',
        'const EvaluationUtils = window.EvaluationUtils;\nmodule.exports = async () => EvaluationUtils.three();',
        'const {three} = globalThis.EvaluationUtils; const Date = null; module.exports = async () => three();'
    ]) {
        const window = {};
        const globals = {window, globalThis: window, Date: 'clock'};
        assert.equal(await runScript(script(source, [], prelude), globals, []), 3, source);
    }
});

test('what a prelude exports becomes window.EvaluationUtils, and is known by its bare name, too', async () => {
    const library = 'const EvaluationUtils = {three: () => 3};\nmodule.exports = EvaluationUtils;';
    const written = 'exports.three = () => 3;';
    const made = 'class Utils { three() { return 3; } }\nmodule.exports = new Utils();';
    for (const prelude of [library, written, made, `window.EvaluationUtils = {three: () => 2};\n${library}`]) {
        for (const name of ['window.EvaluationUtils', 'EvaluationUtils']) {
            const source = `module.exports = async () => ${name}.three();`;
            assert.equal(await runScript(script(source, [], prelude), {window: {}}, []), 3, prelude);
        }
    }
});

test('a prelude that leaves no library is a fault that names the file', async () => {
    const source = 'module.exports = async () => 1;';
    for (const prelude of ['const EvaluationUtils = {};', 'exports = {};', 'window.Date = window.Date;']) {
        const given = script(source, [], prelude);
        await assert.rejects(runScript(given, {window: {Date}}, []), /utils\.js neither exports a library nor assigns/);
    }
    assert.equal(await runScript(script(source, [], 'window.Helpers = {};'), {window: {}}, []), 1);
});
