// @ts-check
// The editor opens audio contexts as it starts and keeps them running for good. A running context asks for
// samples hundreds of times a second, also of silence. Here contexts run only while something plays.

/** How long a context runs on when nothing plays any more: sounds of a script often follow each other. */
const LINGER_MS = 1000;

/**
 * Makes the audio contexts that a page opens from now on rest while they are silent.
 * @param {any} page the page's `window`
 */
export const restAudio = page => {
    const Context = page.AudioContext;
    class RestingContext extends Context {
        /** Sources that play, and reasons to stay awake. */
        #playing = 0;
        /** @type {any} */
        #linger = 0;

        /** @param {any[]} args */
        constructor(...args) {
            super(...args);
            super.suspend();
        }

        /** The editor asks in every frame until its context runs, and a resting one plays when it is told to. */
        get state() {
            const state = super.state;
            return state === 'suspended' ? 'running' : state;
        }

        /** A silent context runs as soon as there is something to hear. */
        resume() {
            return this.#playing > 0 ? super.resume() : Promise.resolve();
        }

        wake() {
            clearTimeout(this.#linger);
            this.#playing += 1;
            super.resume();
        }

        release() {
            this.#playing -= 1;
            if (this.#playing > 0) return;
            this.#linger = setTimeout(() => super.suspend(), LINGER_MS);
        }

        /**
         * A microphone is listened to until the page ends.
         * @param {any} stream
         */
        createMediaStreamSource(stream) {
            this.wake();
            return super.createMediaStreamSource(stream);
        }
    }
    page.AudioContext = RestingContext;
    // Buffer sources have a `start` of their own; oscillators and constants share the other.
    for (const Source of [page.AudioBufferSourceNode, page.AudioScheduledSourceNode]) {
        const start = Source.prototype.start;
        Source.prototype.start = function (/** @type {any[]} */ ...args) {
            start.apply(this, args);
            const {context} = this;
            if (!(context instanceof RestingContext)) return;
            context.wake();
            this.addEventListener('ended', () => context.release(), {once: true});
        };
    }
};
