// @ts-check
// Compiles an evaluation script and its helpers as CommonJS modules. Time, chance and the console reach
// them as parameters, so that a judge decides which ones they see.

/**
 * @typedef {{name: string, source: string}} SourceFile a path relative to eval-scripts, and its content
 * @typedef {(source: string) => any} Compile the page's own, since helpers here name no global
 * @typedef {{compile: Compile, script: SourceFile, prelude: SourceFile | null, helpers: SourceFile[]}} Sources the
 *     prelude runs before the script and sees the same globals; packs keep their helper library in it
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
 * The header stays on the first line and the name is given, so that errors name the right file and line. Globals
 * are in a scope around the file's own: a file may declare the name of one for itself.
 * @param {Compile} compile
 * @param {SourceFile} file
 * @param {string[]} names of the globals
 * @returns {Function} takes the globals, gives the file as a function of `module`, `exports` and `require`
 */
const wrap = (compile, file, names) =>
    compile(
        `(function(${names.join(',')}){return function(module,exports,require){${file.source}\n}})\n` +
            `//# sourceURL=eval-scripts/${file.name}`
    );

/** The name on `window` under which scripts know what a prelude exports: the contract of the published scripts. */
const LIBRARY = 'EvaluationUtils';

/**
 * Hands a prelude's work over to the script: what it exports becomes `window.EvaluationUtils`; one that exports
 * nothing has put something on `window` by itself.
 * @param {SourceFile} prelude
 * @param {Record<string, any>} window as the prelude left it
 * @param {Record<string, any>} before its properties before that
 * @param {{exports: any, isExporting: boolean}} module what became of it
 */
const takeLibrary = (prelude, window, before, {exports, isExporting}) => {
    if (isExporting) window[LIBRARY] = exports;
    else if (Object.keys(window).every(name => window[name] === before[name])) {
        throw new Error(`${prelude.name} neither exports a library nor assigns one to window`);
    }
};

/**
 * What a prelude leaves on `window` is known by its bare name, too, as it is in a page.
 * @param {Globals} globals
 * @returns {Globals}
 */
const withWindow = globals => {
    const bare = Object.entries(globals.window ?? {}).filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name));
    return {...Object.fromEntries(bare), ...globals};
};

/**
 * @param {Sources} sources
 * @param {Globals} globals
 * @returns {{exports: any, returned: any}} what the script exports, and what its top level returned
 */
const compileEvaluation = ({compile, script, prelude, helpers}, globals) => {
    /** @type {Map<string, {exports: any}>} */
    const loaded = new Map();
    /**
     * @param {SourceFile} file
     * @param {Globals} seen what it sees
     * @returns {{exports: any, isExporting: boolean, returned: any}} `isExporting` unless it left its exports as they were
     */
    const run = (file, seen) => {
        const untouched = {};
        /** @type {{exports: any}} */
        const module = {exports: untouched};
        loaded.set(file.name, module);
        const require = (/** @type {string} */ path) => {
            const name = resolve(file.name, path);
            const known = loaded.get(name);
            if (known) return known.exports;
            const helper = helpers.find(candidate => candidate.name === name);
            if (!helper) throw new Error(`${file.name} requires ${path}, which is no helper under eval-scripts/lib`);
            return run(helper, seen).exports;
        };
        const body = wrap(compile, file, Object.keys(seen))(...Object.values(seen));
        const returned = body(module, module.exports, require);
        const {exports} = module;
        return {exports, isExporting: exports !== untouched || Reflect.ownKeys(exports).length > 0, returned};
    };
    if (prelude) {
        const before = {...globals.window};
        takeLibrary(prelude, globals.window, before, run(prelude, globals));
    }
    return run(script, prelude ? withWindow(globals) : globals);
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
