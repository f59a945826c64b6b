// @ts-check
// The VM calls `renderer.draw()` on each of its 30 ticks a second, whether or not anything moved, which
// costs half a core per idle page. Here every call that can alter the picture marks the renderer as
// stale, and `draw()` does nothing while it is not.

/**
 * Renderer methods by these prefixes alter what the stage shows, or wait for the next picture (`requestSnapshot`);
 * all others only read.
 */
const MUTATOR = /^(create|destroy|update|set|resize|pen|mark|reset|clear|stamp|request)/;

/**
 * Wraps one renderer in place.
 * @param {any} renderer a scratch-render RenderWebGL
 */
export const drawRendererOnChange = renderer => {
    let stale = true;
    const stain = () => {
        stale = true;
    };
    for (const name of methodNames(renderer)) {
        if (!MUTATOR.test(name)) continue;
        const original = renderer[name];
        renderer[name] = function (/** @type {any[]} */ ...args) {
            stain();
            return original.apply(this, args);
        };
    }
    const draw = renderer.draw;
    renderer.draw = function () {
        listenToSkins(renderer, stain);
        if (!stale) return;
        stale = false;
        draw.call(this);
    };
};

/** Skins that are already listened to. */
const known = new WeakSet();

/**
 * SVG and bitmap skins finish loading on their own, without a call to the renderer, and say so.
 * @param {any} renderer the renderer whose skins to listen to
 * @param {() => void} stain called when a skin's picture changed
 */
const listenToSkins = (renderer, stain) => {
    for (const skin of renderer._allSkins) {
        if (!skin || known.has(skin)) continue;
        known.add(skin);
        skin.on('WasAltered', stain);
        stain();
    }
};

/**
 * @param {any} object any object with a class
 * @returns {string[]} the names of its methods, inherited ones included
 */
const methodNames = object => {
    /** @type {Set<string>} */
    const names = new Set();
    for (let p = object; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) {
        for (const name of Object.getOwnPropertyNames(p)) {
            if (name !== 'constructor' && typeof object[name] === 'function') names.add(name);
        }
    }
    return [...names];
};

/**
 * Wraps the renderer as soon as the editor attaches one to the VM.
 * @param {any} vm the editor's virtual machine
 */
export const drawOnChange = vm => {
    const attach = vm.attachRenderer;
    vm.attachRenderer = function (/** @type {any} */ renderer) {
        drawRendererOnChange(renderer);
        return attach.call(this, renderer);
    };
};
