// @ts-check
// What a judged script could alter in its page so that it outlives the judgement: the language's own objects, the page's,
// and the classes of the editor's VM and renderer, all of which are within reach of its frame's `parent` and of the VM
// that it is given. What is remembered is which function stands where; data are the next judgement's own.
//
// It works with functions that it took when the page was new, and without those that a script could have replaced.

const {ownKeys, getOwnPropertyDescriptor, getPrototypeOf} = Reflect;

/** Names of globals that judging goes through. */
const GLOBALS = [
    'Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math', 'JSON', 'Reflect', 'Proxy', 'Date', 'RegExp',
    'Error', 'TypeError', 'RangeError', 'SyntaxError', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'ArrayBuffer', 'DataView',
    'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Float32Array', 'Float64Array',
    'TextEncoder', 'TextDecoder', 'Blob', 'URL', 'Image', 'XMLHttpRequest', 'MessageChannel', 'MessagePort', 'EventTarget', 'Event', 'Node',
    'Element', 'HTMLElement', 'HTMLCanvasElement', 'HTMLImageElement', 'HTMLIFrameElement', 'Document', 'Performance', 'Crypto',
    'SubtleCrypto', 'CanvasRenderingContext2D', 'WebGLRenderingContext', 'WebGL2RenderingContext', '__scratchbed'
];

/**
 * @typedef {{object: any, name: string, open: boolean, keys: PropertyKey[], values: any[], setters: any[]}} Holder `open`: more may be
 *     added to it without harm
 */

/** @param {any} object @param {PropertyKey} key @returns {[any, any]} its function or getter, and its setter */
const functionsAt = (object, key) => {
    const property = getOwnPropertyDescriptor(object, key);
    if (!property) return [undefined, undefined];
    const value = property.get || property.value;
    return [typeof value === 'function' ? value : undefined, property.set];
};

/** @param {any} object @param {string} name @param {boolean} open @returns {Holder} */
const holderOf = (object, name, open) => {
    /** @type {Holder} */
    const holder = {object, name, open, keys: [], values: [], setters: []};
    const keys = ownKeys(object);
    for (let index = 0; index < keys.length; index++) {
        const [value, setter] = functionsAt(object, keys[index]);
        if (!value && !setter) continue;
        const at = holder.keys.length;
        holder.keys[at] = keys[index];
        holder.values[at] = value;
        holder.setters[at] = setter;
    }
    return holder;
};

/** @param {Holder} holder @param {string[]} changed filled in */
const compare = (holder, changed) => {
    const {object, name, open, keys, values, setters} = holder;
    for (let index = 0; index < keys.length; index++) {
        const [value, setter] = functionsAt(object, keys[index]);
        if (value !== values[index] || setter !== setters[index]) changed[changed.length] = `${name}.${String(keys[index])}`;
    }
    if (open) return;
    let functions = 0;
    const now = ownKeys(object);
    for (let index = 0; index < now.length; index++) {
        const [value, setter] = functionsAt(object, now[index]);
        if (value || setter) functions++;
    }
    if (functions > keys.length) changed[changed.length] = `${name}: something was added`;
};

/**
 * The objects of the VM whose classes are shared by all VMs of the page, and what they share themselves.
 * @param {any} vm the editor's
 * @returns {[any, string][]}
 */
const vmObjects = vm => {
    const {runtime} = vm;
    const target = runtime.targets[0];
    return [
        [vm, 'vm'],
        [runtime, 'runtime'],
        [runtime.sequencer, 'sequencer'],
        [runtime.renderer, 'renderer'],
        [runtime.storage, 'storage'],
        [runtime.v2BitmapAdapter, 'v2BitmapAdapter'],
        [target, 'target'],
        [target?.blocks, 'blocks'],
        [target?.sprite, 'sprite'],
        ...Object.entries(runtime.ioDevices).map(([name, device]) => /** @type {[any, string]} */ ([device, name]))
    ];
};

/** @param {any} page its global object @param {any} vm @returns {Holder[]} */
const holders = (page, vm) => {
    /** @type {Set<any>} */
    const seen = new Set();
    /** @type {Holder[]} */
    const found = [];
    const add = (/** @type {any} */ object, /** @type {string} */ name, open = false) => {
        if (!object || (typeof object !== 'object' && typeof object !== 'function') || seen.has(object)) return;
        seen.add(object);
        found.push(holderOf(object, name, open));
    };
    add(page, 'globalThis', true);
    for (const name of GLOBALS) {
        const global = page[name];
        add(global, name);
        add(global?.prototype, `${name}.prototype`);
    }
    for (const [object, name] of vmObjects(vm)) {
        for (let p = object && getPrototypeOf(object); p && p !== Object.prototype; p = getPrototypeOf(p)) {
            add(p, `${name}.prototype`);
            add(p.constructor, `${name}.constructor`);
        }
    }
    // These two serve every VM of the page.
    add(vm.runtime.storage, 'storage', true);
    add(vm.runtime.v2BitmapAdapter, 'v2BitmapAdapter', true);
    return found;
};

/** @type {Holder[] | null} */
let known = null;

/**
 * @param {any} page its global object
 * @param {any} vm the editor's
 * @returns {string[]} what is not as it was at the first call
 */
const alterations = (page, vm) => {
    if (!known) {
        known = holders(page, vm);
        return [];
    }
    /** @type {string[]} */
    const changed = [];
    for (let index = 0; index < known.length; index++) compare(known[index], changed);
    return changed;
};

module.exports = {alterations, compare, holderOf};
