// @ts-check
// Runs once in each page before any page function: finds the editor's handles and gives page functions
// their context. The one global it adds is `__scratchbed`, frozen and not enumerable.
//
// Page functions are wrapped by the driver as
//   function (args) { <take require from __scratchbed>; <source of fn/name.js>; return run(module.exports, args) }
// so that files under fn/ and lib/ are plain CommonJS modules that Node's test runner can load as they are. A function of
// a room that the page lacks only says so; the driver brings the room and calls it again.

/**
 * A page function's refusal: a situation with a stable code, not a fault of the page.
 */
class Refusal extends Error {
    /**
     * @param {string} code stable snake_case name of the situation
     * @param {string} message what happened
     * @param {string} [hint] what to do about it
     */
    constructor(code, message, hint) {
        super(message);
        this.code = code;
        this.hint = hint;
    }
}

/**
 * Scratch keeps ScratchBlocks and the workspace to itself; the React component that owns them is found
 * by walking up from the blocks container (pinned editor version, checked by `scratchbed doctor`).
 * @returns {{SB: any, workspace: any} | null} null while the editor is still mounting
 */
const findBlocks = () => {
    for (const {ScratchBlocks, workspace} of require_('fibers').componentsAround(document.querySelector('.injectionDiv'))) {
        if (ScratchBlocks && workspace) return {SB: ScratchBlocks, workspace};
    }
    return null;
};

/** @type {{SB: any, workspace: any} | null} Found once; the editor keeps one workspace for its life. */
let blocks = null;

/** @returns {import('./types/page').Ctx} what every page function gets as its first argument */
const context = () => {
    const host = /** @type {any} */ (globalThis).scratchbedHost;
    if (!host) throw new Refusal('editor_not_ready', 'the editor is not mounted yet');
    require_('editor-seams').enter(host.generation);
    if (!blocks && (blocks = findBlocks())) require_('without-chance').takeChanceOut(blocks);
    require_('event-record').attach(host.vm);
    return {
        GUI: host.GUI,
        state: host.state,
        vm: host.vm,
        SB: blocks && blocks.SB,
        workspace: blocks && blocks.workspace,
        fail: (code, message, hint) => {
            throw new Refusal(code, message, hint);
        }
    };
};

/** @type {Map<string, {exports: any, define: ((module: any, require: any) => void) | null}>} */
const modules = new Map();

/**
 * Files are known by their base name, so `require('../lib/geometry')` works the same here and in Node.
 * @param {string} path as written in the file
 * @returns {any} the module's exports
 */
const require_ = path => {
    const name = path.replace(/^.*\//, '').replace(/\.js$/, '');
    const entry = modules.get(name);
    if (!entry) throw new Error(`no module ${path}`);
    if (entry.define) {
        const define = entry.define;
        entry.define = null;
        const module = {exports: {}};
        define(module, require_);
        // What runs in a frame of this page could else put something in place of a function of ours.
        entry.exports = Object.freeze(module.exports);
    }
    return entry.exports;
};

/**
 * Calls one page function and tags its outcome, so that a refusal is never mistaken for a value.
 * @param {(ctx: any, args: any) => any} fn the page function
 * @param {any} args its arguments
 * @param {string} name what it is called
 * @param {boolean} everywhere whether it is known to work in every generation of the editor
 * @returns {Promise<any>} `{ok: true, value}` or `{ok: false, code, message, hint}`
 */
const run = async (fn, args, name, everywhere) => {
    try {
        const ctx = context();
        const generation = require_('editor-seams').seams().name;
        if (!everywhere && generation !== 'current') {
            ctx.fail('not_in_this_editor', `${name} does not work in the ${generation} editor`, 'use the current editor');
        }
        const value = await fn(ctx, args);
        return {ok: true, value: value === undefined ? null : value};
    } catch (error) {
        if (error instanceof Refusal) {
            return {ok: false, code: error.code, message: error.message, hint: error.hint || null};
        }
        throw error;
    }
};

/** @type {Set<string>} names of the rooms whose helpers are here */
const rooms = new Set();

/** @param {string} room @returns {boolean} whether its helpers are here */
const has = room => rooms.has(room);

/**
 * Takes a room's helpers in, once. Nothing that is here gives way: what runs in a frame of this page can call this too.
 * @param {string} room its name
 * @param {Record<string, (module: any, require: any) => void>} helpers what runs each file, by base name
 */
const bring = (room, helpers) => {
    if (rooms.has(room)) return;
    for (const [name, define] of Object.entries(helpers)) {
        if (modules.has(name)) throw new Error(`there is a module ${name}`);
        modules.set(name, {exports: null, define});
    }
    rooms.add(room);
};

Object.defineProperty(globalThis, '__scratchbed', {value: Object.freeze({run, has, bring, require: require_})});
