// @ts-check
// Waits until the editor has reacted to what was just done to it, on events and never on a blind sleep.
//
// A turn is one animation frame and the timers behind it. That is the rhythm of the editor itself:
// Blockly renders in a frame and fires its events in a timer behind the frame, React commits before the
// next one. The page is quiet after a whole turn in which nothing happened while nothing was pending.
// Movements that only please the eye (a scrolling palette, a fading menu) are brought to their end at
// once instead of being waited for, because what matters is where they end.

const {seams} = require('../../shared/lib/editor-seams');
const {showPosition} = require('../lib/palette-position');
const {showHeldBack} = require('../lib/throttled-pictures');

/**
 * @typedef {{reason: 'quiet' | 'deadline', waited_ms: number, pending: string[]}} Settled
 * @typedef {import('../../types/page').Ctx} Ctx
 */

/** What the state reducer calls a project that is loaded and shown. */
const SHOWN = /^(SHOWING_|NOT_LOADED$)/;

/** The half of the page that a running project may alter at any time. */
const LIVE = 'aside, .blocklySvg, .blocklyFlyout';

/** Where the paint editor draws the open costume. */
const PAPER = 'canvas[class*=paper-canvas]';

/**
 * @param {any} vm the virtual machine
 * @returns {boolean} whether scripts run; the threads that only read monitors do not count
 */
const isRunning = vm => vm.runtime.threads.some((/** @type {any} */ thread) => !thread.updateMonitor);

/**
 * Library thumbnails name another host, and nothing leaves the machine: they never load.
 * @param {string} src address of a picture
 */
const isOurs = src => /^(data|blob):/.test(src) || new URL(src, location.href).origin === location.origin;

/** @param {Element} element */
const isInView = element => {
    const {top, right, bottom, left} = element.getBoundingClientRect();
    return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
};

/**
 * Ends the movements whose result is already known.
 * @param {Ctx} ctx
 */
const hurry = ({SB, workspace}) => {
    for (const animation of document.getAnimations()) {
        const end = animation.effect && animation.effect.getComputedTiming().endTime;
        if (animation.playState === 'running' && Number.isFinite(end)) animation.finish();
    }
    const flyout = workspace && workspace.getFlyout();
    if (flyout && seams().glideTarget(flyout) !== null) seams().endGlide(flyout);
    // A closing dropdown is transparent for a quarter of a second, and swallows clicks all the while.
    const dropdown = SB && SB.DropDownDiv.getContentDiv()?.parentElement;
    if (dropdown && dropdown.style.opacity === '0' && dropdown.style.display === 'block') {
        SB.DropDownDiv.hideWithoutAnimation();
    }
    // A deleted block shrinks for a moment as a clone that nothing can use.
    for (const ghost of document.querySelectorAll(seams().selectors.ghosts)) ghost.remove();
};

/**
 * What is known to be still on its way; each entry is one name in `pending`.
 * @type {Record<string, (ctx: Ctx) => boolean>}
 */
const PENDING = {
    project: ({state}) => !SHOWN.test(state.store.getState().scratchGui.projectState.loadingState),
    // The editor's picture of the VM is throttled, so a new editing target arrives late.
    editing_target: ({vm, state}) => {
        const shown = state.store.getState().scratchGui.targets.editingTarget;
        return Boolean(vm.editingTarget) && shown !== vm.editingTarget.id;
    },
    // The paint editor takes a costume in through a sandboxed frame, and then notes it as the first state to undo to.
    costume: ({state}) =>
        document.querySelector(PAPER) !== null && state.store.getState().scratchPaint.undo.pointer < 0,
    palette: ({workspace}) => {
        const flyout = workspace && workspace.getFlyout();
        return Boolean(flyout) && seams().glideTarget(flyout) !== null;
    },
    fonts: () => document.fonts.status === 'loading',
    images: ({vm}) => {
        const running = isRunning(vm);
        return [...document.images].some(
            image => !image.complete && isOurs(image.src) && isInView(image) && !(running && image.closest(LIVE))
        );
    },
    // Running projects switch costumes all the time; their pictures are part of the motion.
    skins: ({vm}) => {
        const skins = vm.runtime.renderer ? vm.runtime.renderer._allSkins : [];
        return !isRunning(vm) && skins.some((/** @type {any} */ s) => s && s._svgImage?.src && !s._svgImageLoaded);
    }
};

/**
 * A script that was just started shows nothing until the VM's next step. The VM makes a new list of its
 * threads in each step, and adds to the same list in between.
 * @param {any} vm
 * @returns {() => boolean} whether scripts run that have not had their first step, or had it this turn
 */
const firstStep = vm => {
    /** @type {any[] | null} */
    let waiting = null;
    let done = false;
    return () => {
        if (done || (!waiting && !isRunning(vm))) return false;
        if (waiting && waiting !== vm.runtime.threads) done = true;
        waiting = vm.runtime.threads;
        return true;
    };
};

/**
 * A paint editor that opens again shows the old states to undo to until it has taken its costume in.
 * @param {Ctx['state']} state
 * @returns {{look: (records: MutationRecord[]) => void, isOpening: () => boolean}} `look` is to see what React adds
 */
const paintEditor = state => {
    const undo = () => state.store.getState().scratchPaint?.undo;
    /** @type {object | null} */
    let old = null;
    return {
        look: records => {
            const added = records.flatMap(record => [...record.addedNodes]);
            if (added.some(node => node instanceof Element && (node.matches(PAPER) || node.querySelector(PAPER)))) {
                old = undo();
            }
        },
        isOpening: () => old !== null && old === undo() && document.querySelector(PAPER) !== null
    };
};

/**
 * Notes what happens on the page from now on.
 * @param {Ctx} ctx
 * @returns {{seen: Set<string>, isOpeningPaint: () => boolean, stop: () => void}} kinds of events since `seen` was last cleared
 */
const watch = ({vm, state, workspace}) => {
    /** @type {Set<string>} */
    const seen = new Set();
    const paint = paintEditor(state);
    const observer = new MutationObserver(records => {
        paint.look(records);
        const running = isRunning(vm);
        const ours = (/** @type {Node} */ node) => {
            const element = node instanceof Element ? node : node.parentElement;
            return !running || !element || !element.closest(LIVE);
        };
        if (records.some(record => ours(record.target))) seen.add('react');
    });
    observer.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['class', 'style', 'disabled']
    });
    const onScroll = () => seen.add('scrolling');
    document.addEventListener('scroll', onScroll, true);
    const onBlockly = () => seen.add('blockly_events');
    const workspaces = workspace ? [workspace, workspace.getFlyout()?.getWorkspace()].filter(Boolean) : [];
    for (const one of workspaces) one.addChangeListener(onBlockly);
    return {
        seen,
        isOpeningPaint: paint.isOpening,
        stop: () => {
            observer.disconnect();
            document.removeEventListener('scroll', onScroll, true);
            for (const one of workspaces) one.removeChangeListener(onBlockly);
        }
    };
};

/**
 * @param {number} limit milliseconds after which the turn ends even if the page draws no frame
 * @returns {Promise<void>}
 */
const turn = limit =>
    new Promise(done => {
        const timer = setTimeout(done, limit);
        requestAnimationFrame(() => {
            setTimeout(() => {
                clearTimeout(timer);
                done();
            }, 0);
        });
    });

/** @type {import('../../types/page').PageFn<{deadline_ms: number}, Settled>} */
module.exports = async (ctx, {deadline_ms}) => {
    const started = performance.now();
    const waited = () => performance.now() - started;
    const {seen, isOpeningPaint, stop} = watch(ctx);
    const isStarting = firstStep(ctx.vm);
    try {
        for (;;) {
            hurry(ctx);
            await turn(Math.max(0, deadline_ms - waited()));
            if (isStarting()) seen.add('first_step');
            if (isOpeningPaint()) seen.add('costume');
            if (!isRunning(ctx.vm) && showPosition(ctx)) seen.add('palette_position');
            if (!isRunning(ctx.vm) && showHeldBack(document.images)) seen.add('pictures');
            const pending = [...new Set([...seen, ...Object.keys(PENDING).filter(name => PENDING[name](ctx))])];
            const late = waited() >= deadline_ms;
            if (pending.length === 0 || late) {
                const reason = pending.length === 0 ? 'quiet' : 'deadline';
                return {reason, waited_ms: Math.round(waited() * 10) / 10, pending};
            }
            seen.clear();
        }
    } finally {
        stop();
    }
};
