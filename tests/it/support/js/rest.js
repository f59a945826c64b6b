// @ts-check
/** How long the page is watched while nothing runs. */
const WATCH_MS = 500;

/** Steps that the VM makes while nothing runs, and the time that a sound takes which is played then. */
module.exports = async (/** @type {any} */ {vm}) => {
    const {runtime} = vm;
    const pause = (/** @type {number} */ ms) => new Promise(done => setTimeout(done, ms));
    const {audioContext} = runtime.audioEngine;
    let steps = 0;
    const stepThreads = runtime.sequencer.stepThreads;
    runtime.sequencer.stepThreads = function () {
        steps += 1;
        return stepThreads.call(this);
    };
    // A page that has just opened takes its last steps.
    do {
        steps = 0;
        await pause(100);
    } while (steps > 0);
    const heard = audioContext.currentTime;
    await pause(WATCH_MS);
    const atRest = {idle_steps: steps, running_contexts: Number(audioContext.currentTime !== heard)};
    const {soundBank, sounds} = vm.editingTarget.sprite;
    const player = soundBank.getSoundPlayer(sounds[0].soundId);
    const started = performance.now();
    await soundBank.playSound(vm.editingTarget, sounds[0].soundId);
    return {
        ...atRest,
        sound_seconds: player.buffer.duration,
        waited_seconds: (performance.now() - started) / 1000
    };
};
