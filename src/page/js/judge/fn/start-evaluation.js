// @ts-check
/**
 * Starts judging a project in this page, in a VM apart from the editor's, and returns at once;
 * poll-evaluation.js tells how it goes. The page can judge again when it has ended.
 */
const {bytesOf} = require('../lib/base64-bytes.js');
const {Coverage} = require('../lib/coverage.js');
const {driveHats} = require('../lib/drive-hats.js');
const {currentEvaluation, startEvaluation} = require('../lib/evaluation-run.js');
const {realTime} = require('../lib/real-time.js');
const {comparedPixels, disposeVm, loadSecondVm} = require('../lib/second-vm.js');
const {seededRandom} = require('../lib/seeded-random.js');
const {pictureOf, rendererOf} = require('../lib/stage-renderer.js');
const {ROOM, Recorder, traceOf} = require('../lib/trace.js');
const {virtualTime} = require('../lib/virtual-time.js');

/** Set apart the streams of one seed: for ids, and for what a script draws. */
const [ID_STREAM, SCRIPT_STREAM] = [0x5bd1e995, 0x27d4eb2f];

/** The largest work that is told. */
const MOST_WORK = 2 ** 31 - 1;

/**
 * @typedef {{name: string, source: string}} SourceFile
 * @typedef {{project: string, script: SourceFile, prelude: SourceFile | null, helpers: SourceFile[],
 *            seed: number, clock: 'real' | 'virtual', case_ms: number, task_ms: number,
 *            stage: 'large' | 'small', trace: boolean, draw: boolean, drive: boolean,
 *            stop_at_first_failure: boolean, play: {scenario: any, every: number, pictures: number[]} | null}} Args `project` is an .sb3
 *     file in base64; `drive` plays inputs that set off every script in place of the evaluation script; `play` has the
 *     scenario for a script that plays one, how many ticks lie between two looks, and after which ticks the stage is drawn
 */

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
    const renderer = rendererOf(document, editorVm, args.stage);
    const project = bytesOf(args.project);
    const ids = seededRandom(args.seed ^ ID_STREAM);
    const time = timeOf(editorVm, args, ids);
    const scripts = realm(time.scriptGlobals, seededRandom(args.seed ^ SCRIPT_STREAM));
    /** @type {Recorder[]} */
    const recorders = [];
    const room = {left: ROOM};
    /** @type {Coverage | null} */
    let coverage = null;
    /** Random numbers that blocks drew. */
    let draws = 0;
    /** Pictures of the stage in base64, by the ticks after which they were asked for. @type {Record<number, string>} */
    const pictures = {};
    // What the machine took, on the page's own clock: programs have another one.
    const wall = performance;
    const took = {load: 0, steps: 0, ticks: 0};
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
        // Each program finds half of the room at least; of those that have ended a digest is enough then.
        if (room.left < ROOM / 2) {
            for (const ended of recorders) ended.fold();
            room.left = ROOM;
        }
        const stream = seededRandom(args.seed);
        const random = () => {
            draws += 1;
            return stream();
        };
        const conditions = {random, ids, time, draw: args.draw};
        const began = wall.now();
        /** @type {Recorder | null} */
        let recorder = null;
        vm = await loadSecondVm(editorVm, renderer, project, conditions, (target, sound) => recorder?.sound(target, sound));
        took.load = wall.now() - began;
        recorder = new Recorder(vm, args.play?.every, room);
        recorders.push(recorder);
        if (args.play) coverage = new Coverage(vm, () => comparedPixels(renderer));
        const step = vm.runtime._step;
        vm.runtime._step = () => {
            const start = wall.now();
            step.call(vm.runtime);
            took.steps += wall.now() - start;
            took.ticks += 1;
            recorder?.sample();
            if (recorder && args.play?.pictures.includes(recorder.ticks)) pictures[recorder.ticks] = pictureOf(renderer);
        };
        time.start(vm);
        return vm;
    };
    const conclude = async () => {
        const elapsed_ms = time.elapsed();
        recorders.at(-1)?.end();
        // A program that has ended shows what it showed last.
        const late = vm ? (args.play?.pictures ?? []).filter(tick => !(tick in pictures)) : [];
        const last = late.length > 0 ? pictureOf(renderer) : '';
        for (const tick of late) pictures[tick] = last;
        dispose();
        scripts.remove();
        const clock = time.parameters;
        const trace = traceOf(recorders, {clock: {kind: args.clock, ...clock}, seed: args.seed});
        const played = coverage && {
            draws,
            covered: coverage.covered(),
            // What is more than any limit is told as a whole number all the same.
            work: Math.min(coverage.work, MOST_WORK),
            load_ms: took.load,
            tick_ms: took.steps / Math.max(1, took.ticks),
            pictures
        };
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
