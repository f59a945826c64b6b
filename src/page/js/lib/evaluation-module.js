// @ts-check
// Compiles an evaluation script and its helpers as CommonJS modules. Time, chance and the console reach
// them as parameters, so that a judge decides which ones they see.

/**
 * @typedef {{name: string, source: string}} SourceFile a path relative to eval-scripts, and its content
 * @typedef {(source: string) => any} Compile the page's own, since helpers here name no global
 * @typedef {{compile: Compile, script: SourceFile, prelude: SourceFile | null, helpers: SourceFile[]}} Sources the
 *     prelude runs before the script and sees the same globals; packs keep their helpers in it
 * @typedef {Record<string, any>} Globals by the names under which the sources use them
 */

/**
 * @param {string} from path of the requiring file
 * @param {string} path as written in `require`
 * @returns {string} path relative to eval-scripts
 */
const resolve = (from, path) => {
    const parts = from.split('/').slice(0, -1);
    for (const part of path.split('/')) {
        if (part === '..') parts.pop();
        else if (part !== '.') parts.push(part);
    }
    const name = parts.join('/');
    return name.endsWith('.js') ? name : `${name}.js`;
};

/**
 * The header stays on the first line and the name is given, so that errors name the right file and line.
 * @param {Compile} compile
 * @param {SourceFile} file
 * @param {string[]} parameters
 * @returns {Function}
 */
const wrap = (compile, file, parameters) =>
    compile(`(function(${parameters.join(',')}){${file.source}\n})\n//# sourceURL=eval-scripts/${file.name}`);

/**
 * @param {Sources} sources
 * @param {Globals} globals
 * @returns {{exports: any, returned: any}} what the script exports, and what its top level returned
 */
const compileEvaluation = ({compile, script, prelude, helpers}, globals) => {
    const names = Object.keys(globals);
    /** @type {Map<string, {exports: any}>} */
    const loaded = new Map();
    /** @param {SourceFile} file */
    const run = file => {
        const module = {exports: {}};
        loaded.set(file.name, module);
        const require = (/** @type {string} */ path) => {
            const name = resolve(file.name, path);
            const known = loaded.get(name);
            if (known) return known.exports;
            const helper = helpers.find(candidate => candidate.name === name);
            if (!helper) throw new Error(`${file.name} requires ${path}, which is no helper under eval-scripts/lib`);
            return run(helper).module.exports;
        };
        const body = wrap(compile, file, ['module', 'exports', 'require', ...names]);
        return {module, returned: body(module, module.exports, require, ...names.map(name => globals[name]))};
    };
    if (prelude) run(prelude);
    const {module, returned} = run(script);
    return {exports: module.exports, returned};
};

/**
 * Runs a script of either form: one that exports a function, or one whose top level returns a promise.
 * @param {Sources} sources
 * @param {Globals} globals
 * @param {any[]} args what an exported function is given
 * @returns {Promise<any>} the report, unchecked
 */
const runScript = async (sources, globals, args) => {
    const {exports, returned} = compileEvaluation(sources, globals);
    if (typeof exports === 'function') return exports(...args);
    if (returned === undefined) throw new Error(`${sources.script.name} neither exports a function nor returns a report`);
    return returned;
};

module.exports = {runScript, resolve};
