// @ts-check
// A VM of its own for judging, apart from the editor's: nothing that the editor does or did can reach it
// (spec: the editor's listeners run inside the VM's tick, and state survives a reload).

const {rememberTouch} = require('./remember-touch.js');
const {silentAudio} = require('./silent-audio.js');

/**
 * Blocks that draw random numbers. What else draws them makes ids: saying something and cloning would
 * otherwise move every later random number of the program.
 */
const RANDOM_BLOCKS = [
    'operator_random',
    'motion_goto',
    'motion_glideto',
    'motion_pointtowards',
    'looks_switchbackdropto',
    'looks_switchbackdroptoandwait',
    'data_deleteoflist',
    'data_insertatlist',
    'data_replaceitemoflist',
    'data_itemoflist'
];

/**
 * @typedef {{random: () => number, ids: () => number, time: any, draw: boolean}} Conditions `random` for the
 *     program's blocks, `ids` for what the VM makes; `draw` draws in each tick, to compare
 */

/** How each renderer forgets what touches what. @type {WeakMap<any, () => void>} */
const forgetTouch = new WeakMap();
/** How often each renderer had to compare pixels to tell what touches what. @type {WeakMap<any, number>} */
const touches = new WeakMap();

/** @param {any} renderer @returns {number} how often it compared pixels so far: the same on every machine */
const comparedPixels = renderer => touches.get(renderer) ?? 0;

/**
 * A renderer for judged programs.
 * @param {any} editorVm the editor's VM
 * @param {any} canvas a canvas that is laid out in the page, since pointing is measured on it
 * @returns {any}
 */
const makeRenderer = (editorVm, canvas) => {
    const Renderer = editorVm.runtime.renderer.constructor;
    const renderer = new Renderer(canvas, -240, 240, -180, 180);
    renderer.setUseGpuMode(Renderer.UseGpuModes.ForceCPU);
    const count = () => touches.set(renderer, comparedPixels(renderer) + 1);
    forgetTouch.set(renderer, rememberTouch(renderer, count));
    return renderer;
};

/**
 * @param {HTMLImageElement} image on its way to pixels
 * @returns {Promise<void>} resolves when it is there; rejected when the browser can't draw it
 */
const decoded = image =>
    new Promise((resolve, reject) => {
        const fail = () => reject(new Error('a costume is no picture that the browser can draw'));
        // What has failed before tells of it no more.
        if (image.complete && image.naturalWidth === 0) return fail();
        image.addEventListener('load', () => resolve(), {once: true});
        image.addEventListener('error', fail, {once: true});
    });

/**
 * Has no limit of its own: how long decoding takes is up to the machine. Who has a project loaded limits the page's processor
 * time, and notices a page that does nothing any more.
 * @param {any} renderer
 * @returns {Promise<void>} resolves when no costume is still on its way to pixels
 */
const waitForSkins = async renderer => {
    const isPending = (/** @type {any} */ skin) =>
        skin && skin._svgImage && !skin._svgImageLoaded && skin.size[0] > 0 && skin.size[1] > 0;
    for (let skin; (skin = renderer._allSkins.find(isPending)); ) await decoded(skin._svgImage);
};

/** Whether a tick is going on; a script that is cut off in the middle of one leaves it true. */
const activity = {inStep: false};

/**
 * Runs a function with another source of random numbers in place of the page's.
 * @template T
 * @param {() => number} random
 * @param {() => T} work
 * @returns {T}
 */
const withRandom = (random, work) => {
    const original = Math.random;
    Math.random = random;
    try {
        return work();
    } finally {
        Math.random = original;
    }
};

/**
 * The program's random numbers come from the seed, ids from another stream.
 * @param {any} runtime of a VM without a program: the VM keeps the functions of blocks that it has run
 * @param {Conditions} conditions
 */
const separateChance = (runtime, {random, ids}) => {
    for (const opcode of RANDOM_BLOCKS) {
        const block = runtime._primitives[opcode];
        runtime._primitives[opcode] = (/** @type {any[]} */ ...args) => withRandom(random, () => block(...args));
    }
    const step = runtime._step;
    runtime._step = function () {
        activity.inStep = true;
        // Shapes that become finer are noticed; no answer is older than a tick all the same.
        forgetTouch.get(this.renderer)?.();
        // Left true when the watchdog ends a tick that does not end by itself.
        const result = withRandom(ids, () => step.call(this));
        activity.inStep = false;
        return result;
    };
};

/**
 * Nobody looks, and drawing costs most. But what a costume covers is known by the largest size at which it
 * was drawn, so each tick asks for what a drawing would have asked for.
 * @param {any} renderer
 */
const askForShapes = renderer => {
    const [width] = renderer.getNativeSize();
    const factor = renderer.canvas.width / width;
    renderer.draw = () => {
        for (const id of renderer._drawList) {
            const {skin, scale, _visible} = renderer._allDrawables[id];
            if (!_visible || !skin || !skin._scaledMIPs) continue;
            skin.getTexture(factor === 1 ? scale : [scale[0] * factor, scale[1] * factor]);
        }
    };
};

/**
 * @param {any} editorVm the editor's VM, whose class and storage are used
 * @param {any} renderer from `makeRenderer`, not in use by another VM
 * @param {ArrayBuffer} project an .sb3 file
 * @param {Conditions} conditions
 * @param {(target: any, soundId: string) => void} onSound told of each sound that starts
 * @returns {Promise<any>} a VM with the program loaded and at rest; it does not tick yet
 */
const loadSecondVm = async (editorVm, renderer, project, conditions, onSound) => {
    const vm = withRandom(conditions.ids, () => new editorVm.constructor());
    conditions.time.prepare(vm);
    vm.attachStorage(editorVm.runtime.storage);
    vm.attachRenderer(renderer);
    vm.attachV2BitmapAdapter(editorVm.runtime.v2BitmapAdapter);
    vm.attachAudioEngine(silentAudio(conditions.time.vmTimers, onSound));
    vm.setCompatibilityMode(true);
    // The loader keeps the buffer's memory; each VM gets its own copy.
    await vm.loadProject(project.slice(0));
    await waitForSkins(renderer);
    separateChance(vm.runtime, conditions);
    // Collision shapes follow from what was drawn, so one picture is needed.
    delete renderer.draw;
    renderer.draw();
    if (!conditions.draw) askForShapes(renderer);
    return vm;
};

/**
 * The VM removes its sprites, but not what extensions drew on: a pen's sheet that stays would put every sprite of the
 * next program a layer higher.
 * @param {any} renderer
 */
const removeDrawables = renderer => {
    for (const name of renderer._groupOrdering) {
        const group = renderer._layerGroups[name];
        while (group.drawListOffset < renderer._endIndexForKnownLayerGroup(group)) {
            renderer.destroyDrawable(renderer._drawList[group.drawListOffset], name);
        }
    }
};

/**
 * @param {any} vm from `loadSecondVm`; the renderer is free and empty afterwards
 */
const disposeVm = vm => {
    const {renderer} = vm.runtime;
    vm.stopAll();
    vm.clear();
    removeDrawables(renderer);
    // The VM leaves its costumes behind, too.
    for (const skin of [...renderer._allSkins]) if (skin) renderer.destroySkin(skin.id);
};

module.exports = {activity, comparedPixels, disposeVm, loadSecondVm, makeRenderer, waitForSkins};
