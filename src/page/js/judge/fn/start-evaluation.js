// @ts-check
/**
 * Starts judging a project in this page, in a VM apart from the editor's, and returns at once;
 * poll-evaluation.js tells how it goes. The page can judge again when it has ended.
 */
const {Coverage} = require('../lib/coverage.js');
const {driveHats} = require('../lib/drive-hats.js');
const {currentEvaluation, renderers, startEvaluation} = require('../lib/evaluation-run.js');
const {realTime} = require('../lib/real-time.js');
const {disposeVm, loadSecondVm, makeRenderer} = require('../lib/second-vm.js');
const {seededRandom} = require('../lib/seeded-random.js');
const {Recorder, traceOf} = require('../lib/trace.js');
const {virtualTime} = require('../lib/virtual-time.js');

/** Stage sizes in CSS pixels. */
const SIZES = {large: [480, 360], small: [240, 180]};
/** Set apart the streams of one seed: for ids, and for what a script draws. */
const [ID_STREAM, SCRIPT_STREAM] = [0x5bd1e995, 0x27d4eb2f];

/**
 * @typedef {{name: string, source: string}} SourceFile
 * @typedef {{project: string, script: SourceFile, prelude: SourceFile | null, helpers: SourceFile[],
 *            seed: number, clock: 'real' | 'virtual', case_ms: number, task_ms: number,
 *            stage: 'large' | 'small', trace: boolean, draw: boolean, drive: boolean,
 *            stop_at_first_failure: boolean, play: {scenario: any, every: number} | null}} Args `project` is an .sb3
 *     file in base64; `drive` plays inputs that set off every script in place of the evaluation script; `play` has the
 *     scenario for a script that plays one, and how many ticks lie between two looks
 */

/**
 * @param {any} editorVm
 * @param {'large' | 'small'} size
 */
const rendererOf = (editorVm, size) => {
    const [width, height] = SIZES[size];
    if (!renderers[size]) {
        // Pointing is measured on a canvas that is laid out, so it is in the document, out of sight.
        const canvas = document.createElement('canvas');
        canvas.style.cssText = `position:fixed;left:-2000px;top:0;width:${width}px;height:${height}px`;
        document.body.append(canvas);
        renderers[size] = makeRenderer(editorVm, canvas);
    }
    // A new renderer makes its canvas as large as the large stage, whatever it was before. The editor's stage then sets
    // the size, and so does each judgement: scripts read it, and could change it.
    renderers[size].resize(width, height);
    return renderers[size];
};

/**
 * Scripts run in a realm of their own, so that nothing they do to `Array` or `Math` outlives them.
 * @param {Record<string, any>} globals what they find there in place of the page's own
 * @param {() => number} random
 */
const realm = (globals, random) => {
    const frame = document.createElement('iframe');
    frame.style.display = 'none';
    document.body.append(frame);
    const own = /** @type {any} */ (frame.contentWindow);
    Object.assign(own, globals);
    own.Math.random = random;
    return {compile: own.eval, remove: () => frame.remove()};
};

/** @param {string} text base64 */
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;

/** A turn of the page's event loop, after which the page's own globals are back. */
const nextTask = () => {
    const {port1, port2} = new MessageChannel();
    return new Promise(resolve => {
        port1.onmessage = resolve;
        port2.postMessage(null);
    });
};

/** @param {string} text @returns {Promise<string>} SHA-256 in hexadecimal */
const sha256 = async text => {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('');
};

/** @param {any} editorVm @param {Args} args */
const timeOf = (editorVm, args, /** @type {() => number} */ ids) => {
    if (args.clock === 'real') return realTime(globalThis);
    const timerClass = editorVm.runtime.sequencer.timer.constructor;
    const onError = (/** @type {any} */ error) => console.error(error);
    return virtualTime(globalThis, {random: ids, limitMs: args.task_ms, onError, timerClass});
};

/** @type {import('../types/page').PageFn<Args, null>} */
module.exports = ({vm: editorVm, fail}, args) => {
    if (currentEvaluation()?.progress.state === 'running') {
        fail('already_evaluating', 'this page is judging another project', 'use another page');
    }
    editorVm.quit();
    const renderer = rendererOf(editorVm, args.stage);
    const project = bytes(args.project);
    const ids = seededRandom(args.seed ^ ID_STREAM);
    const time = timeOf(editorVm, args, ids);
    const scripts = realm(time.scriptGlobals, seededRandom(args.seed ^ SCRIPT_STREAM));
    /** @type {Recorder[]} */
    const recorders = [];
    /** @type {Coverage | null} */
    let coverage = null;
    /** Random numbers that blocks drew. */
    let draws = 0;
    /** @type {any} The VM in use. */
    let vm = null;
    const dispose = () => {
        if (!vm) return;
        time.stop(vm);
        disposeVm(vm);
        vm = null;
    };
    const load = async () => {
        await nextTask();
        dispose();
        const stream = seededRandom(args.seed);
        const random = () => {
            draws += 1;
            return stream();
        };
        const conditions = {random, ids, time, draw: args.draw};
        /** @type {Recorder | null} */
        let recorder = null;
        vm = await loadSecondVm(editorVm, renderer, project, conditions, (target, sound) => recorder?.sound(target, sound));
        recorder = new Recorder(vm, args.play?.every);
        recorders.push(recorder);
        if (args.play) coverage = new Coverage(vm);
        const step = vm.runtime._step;
        vm.runtime._step = () => {
            step.call(vm.runtime);
            recorder?.sample();
        };
        time.start(vm);
        return vm;
    };
    const conclude = async () => {
        const elapsed_ms = time.elapsed();
        recorders.at(-1)?.end();
        dispose();
        scripts.remove();
        const clock = time.parameters;
        const trace = traceOf(recorders, {clock: {kind: args.clock, ...clock}, seed: args.seed});
        const played = coverage && {draws, covered: coverage.covered()};
        return {hash: await sha256(JSON.stringify(trace)), elapsed_ms, clock, trace: args.trace ? trace : null, played};
    };
    const {setTimeout: after} = time.scriptGlobals;
    const drive = () => driveHats(vm, ms => new Promise(resolve => after(resolve, ms)));
    startEvaluation({
        script: args.script,
        prelude: args.prelude,
        helpers: args.helpers,
        compile: scripts.compile,
        time,
        console,
        config: {seed: args.seed, caseMs: args.case_ms, taskMs: args.task_ms, stage: args.stage, stopAtFirstFailure: args.stop_at_first_failure, trace: () => recorders.at(-1)?.run(), ...args.play},
        drive: args.drive ? drive : null,
        load,
        current: () => vm,
        conclude
    });
    return null;
};
