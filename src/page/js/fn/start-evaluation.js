// @ts-check
/**
 * Starts judging a project in this page, in a VM apart from the editor's, and returns at once;
 * poll-evaluation.js tells how it goes.
 */
const {currentEvaluation, startEvaluation} = require('../lib/evaluation-run.js');
const {disposeVm, loadSecondVm, makeRenderer} = require('../lib/second-vm.js');

/** Stage sizes in CSS pixels. */
const SIZES = {large: [480, 360], small: [240, 180]};

/**
 * Pointing is measured on a canvas that is laid out, so it is in the document, out of sight.
 * @param {number[]} size width and height
 */
const offstageCanvas = ([width, height]) => {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.style.cssText = `position:fixed;left:-2000px;top:0;width:${width}px;height:${height}px`;
    document.body.append(canvas);
    return canvas;
};

/** @param {string} text base64 */
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;

/**
 * @typedef {{project: string, script: {name: string, source: string},
 *            helpers: {name: string, source: string}[], seed: number, case_ms: number, task_ms: number,
 *            stage: 'large' | 'small'}} Args `project` is an .sb3 file in base64
 */

/** @type {import('../types/page').PageFn<Args, null>} */
module.exports = ({vm: editorVm, fail}, args) => {
    if (currentEvaluation()) fail('already_evaluating', 'this page has judged a project; judging needs a fresh page');
    editorVm.quit();
    const renderer = makeRenderer(editorVm, offstageCanvas(SIZES[args.stage]));
    const project = bytes(args.project);
    /** @type {any} The VM in use. */
    let vm = null;
    const load = async () => {
        if (vm) disposeVm(vm);
        vm = await loadSecondVm(editorVm, renderer, project, args.seed);
        return vm;
    };
    const config = {seed: args.seed, caseMs: args.case_ms, taskMs: args.task_ms, stage: args.stage};
    const own = globalThis;
    const time = {
        setTimeout: own.setTimeout.bind(own),
        clearTimeout: own.clearTimeout.bind(own),
        setInterval: own.setInterval.bind(own),
        clearInterval: own.clearInterval.bind(own),
        Date,
        performance
    };
    const {script, helpers} = args;
    const compile = own.eval;
    startEvaluation({script, helpers, compile, time, console, config, load, current: () => vm});
    return null;
};
