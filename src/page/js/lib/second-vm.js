// @ts-check
// A VM of its own for judging, apart from the editor's: nothing that the editor does or did can reach it
// (spec: the editor's listeners run inside the VM's tick, and state survives a reload).

const {seededRandom} = require('./seeded-random.js');

/** How long costumes may take to become pixels, in milliseconds. */
const SKINS_MS = 15000;

/**
 * A renderer for judged programs. It draws once per program: nobody looks, and drawing costs most.
 * @param {any} editorVm the editor's VM
 * @param {any} canvas a canvas that is laid out in the page, since pointing is measured on it
 * @returns {any}
 */
const makeRenderer = (editorVm, canvas) => {
    const Renderer = editorVm.runtime.renderer.constructor;
    const renderer = new Renderer(canvas, -240, 240, -180, 180);
    renderer.setUseGpuMode(Renderer.UseGpuModes.ForceCPU);
    return renderer;
};

/**
 * @param {any} renderer
 * @returns {Promise<void>} resolves when no costume is still on its way to pixels
 */
const waitForSkins = async renderer => {
    const deadline = Date.now() + SKINS_MS;
    const pending = (/** @type {any} */ skin) =>
        skin && skin._svgImage && !skin._svgImageLoaded && skin.size[0] > 0 && skin.size[1] > 0;
    while (renderer._allSkins.some(pending)) {
        if (Date.now() > deadline) throw new Error(`costumes were not ready within ${SKINS_MS} ms`);
        await new Promise(resolve => setTimeout(resolve, 5));
    }
};

/** Whether a tick is going on; a script that is cut off in the middle of one leaves it true. */
const activity = {inStep: false};

/**
 * The program's random numbers come from the seed; everything else in the page keeps its own.
 * @param {any} runtime
 * @param {number} seed
 */
const seedRandom = (runtime, seed) => {
    const random = seededRandom(seed);
    const step = runtime._step;
    runtime._step = function () {
        const original = Math.random;
        Math.random = random;
        activity.inStep = true;
        try {
            return step.call(this);
        } finally {
            Math.random = original;
            activity.inStep = false;
        }
    };
};

/**
 * @param {any} editorVm the editor's VM, whose class and storage are used
 * @param {any} renderer from `makeRenderer`, not in use by another VM
 * @param {ArrayBuffer} project an .sb3 file
 * @param {number} seed for the program's random numbers
 * @returns {Promise<any>} a VM that ticks, with the program loaded and at rest
 */
const loadSecondVm = async (editorVm, renderer, project, seed) => {
    const vm = new editorVm.constructor();
    vm.attachStorage(editorVm.runtime.storage);
    vm.attachRenderer(renderer);
    vm.attachV2BitmapAdapter(editorVm.runtime.v2BitmapAdapter);
    if (editorVm.runtime.audioEngine) vm.attachAudioEngine(editorVm.runtime.audioEngine);
    vm.setCompatibilityMode(true);
    // The loader keeps the buffer's memory; each VM gets its own copy.
    await vm.loadProject(project.slice(0));
    await waitForSkins(renderer);
    seedRandom(vm.runtime, seed);
    drawOnce(renderer);
    vm.start();
    return vm;
};

/**
 * Collision shapes follow from what was drawn, so one picture is needed.
 * @param {any} renderer
 */
const drawOnce = renderer => {
    delete renderer.draw;
    renderer.draw();
    renderer.draw = () => {};
};

/**
 * @param {any} vm from `loadSecondVm`; the renderer is free again afterwards
 */
const disposeVm = vm => {
    vm.stopAll();
    vm.quit();
    vm.clear();
};

module.exports = {activity, makeRenderer, waitForSkins, loadSecondVm, disposeVm};
