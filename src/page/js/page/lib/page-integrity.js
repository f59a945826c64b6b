// @ts-check
// What a judged project or script could alter in its page so that it outlives the judgement: the language's own objects,
// the page's, and the classes of the editor's VM and renderer. A script has them within reach of its frame's `parent` and
// of the VM that it is given; a project, by ids that are names of inherited properties: the VM looks many things up in
// plain objects. What is remembered is which keys there are, and what stands there.
//
// It works with functions that it took when the page was new, and without those that a script could have replaced.

const {ownKeys, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions} = Reflect;
const {is} = Object;

/** No more is looked for once so much was found. */
const TOLD = 5;

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
 * @typedef {{object: any, name: string, open: boolean, keys: PropertyKey[], values: any[], setters: any[]}} Holder `open`: data in it may
 *     change, and more may be added to it, without harm
 */

/** @param {Holder} holder @param {PropertyKey} key @returns {[any, any]} what stands there, or its getter, and its setter */
const standingAt = ({object, open}, key) => {
    const property = getOwnPropertyDescriptor(object, key);
    if (!property) return [undefined, undefined];
    const value = property.get || property.value;
    return [open && typeof value !== 'function' ? undefined : value, property.set];
};

/** @param {any} object @param {string} name @param {boolean} open @returns {Holder} */
const holderOf = (object, name, open) => {
    /** @type {Holder} */
    const holder = {object, name, open, keys: ownKeys(object), values: [], setters: []};
    for (let index = 0; index < holder.keys.length; index++) {
        [holder.values[index], holder.setters[index]] = standingAt(holder, holder.keys[index]);
    }
    return holder;
};

/** @param {Holder} holder @param {string[]} changed filled in */
const compare = (holder, changed) => {
    const {object, name, open, keys, values, setters} = holder;
    for (let index = 0; index < keys.length; index++) {
        const [value, setter] = standingAt(holder, keys[index]);
        if (!is(value, values[index]) || setter !== setters[index]) changed[changed.length] = `${name}.${String(keys[index])}`;
    }
    if (!open && ownKeys(object).length > keys.length) changed[changed.length] = `${name}: something was added`;
};

/**
 * The objects that every object inherits from, and what is looked up in them by a name: nothing can be added to them from now on.
 * They are not frozen, since objects could not have a `toString` or a `name` of their own then.
 * @param {any} page its global object
 * @returns {[any, string][]}
 */
const inherited = page => {
    /** @type {[any, string][]} */
    const found = [];
    for (const name of ['Object', 'Function', 'Array']) {
        const {prototype} = page[name];
        found[found.length] = [prototype, `${name}.prototype`];
        const keys = ownKeys(prototype);
        for (let index = 0; index < keys.length; index++) {
            const {value} = getOwnPropertyDescriptor(prototype, keys[index]) ?? {};
            if (typeof value === 'function') found[found.length] = [value, `${name}.prototype.${String(keys[index])}`];
        }
    }
    return found;
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
    for (const [object, name] of inherited(page)) {
        preventExtensions(object);
        add(object, name);
    }
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
    for (let index = 0; index < known.length && changed.length < TOLD; index++) compare(known[index], changed);
    return changed;
};

module.exports = {alterations, compare, holderOf};
