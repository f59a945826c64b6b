// @ts-check
// An audio engine that makes no sound: sounds last as long as the project says, on the clock of the judge.

/** A semitone is 10 steps of the pitch effect; an octave, 120, doubles the speed. */
const OCTAVE = 120;

/**
 * @typedef {{id: string, buffer: {sampleRate: number, length: number}}} Player one decoded sound
 * @typedef {{setTimeout: (handler: () => void, ms: number) => number, clearTimeout: (id: number) => void}} Timers
 */

/** The sounds of one sprite. */
class SilentBank {
    /** @type {Map<string, Player>} */
    #players = new Map();
    /** @type {Map<string, {target: any, end: () => void}>} sounds that play, by id */
    #playing = new Map();

    /**
     * @param {Timers} timers
     * @param {(target: any, soundId: string) => void} onPlay told of each start
     */
    constructor(timers, onPlay) {
        this.timers = timers;
        this.onPlay = onPlay;
    }

    /** @param {Player} player */
    addSoundPlayer(player) {
        this.#players.set(player.id, player);
    }

    /** @param {string} soundId */
    getSoundPlayer(soundId) {
        return this.#players.get(soundId);
    }

    /**
     * @param {any} target who plays
     * @param {string} soundId
     * @returns {Promise<void>} settles when the sound has ended, or was stopped or started again
     */
    playSound(target, soundId) {
        const player = this.#players.get(soundId);
        if (!player) return Promise.resolve();
        this.onPlay(target, soundId);
        this.#playing.get(soundId)?.end();
        const {sampleRate, length} = player.buffer;
        const speed = 2 ** ((target.soundEffects?.pitch || 0) / OCTAVE);
        return new Promise(resolve => {
            const end = () => {
                this.timers.clearTimeout(timer);
                this.#playing.delete(soundId);
                resolve();
            };
            const timer = this.timers.setTimeout(end, ((length / sampleRate) * 1000) / speed);
            this.#playing.set(soundId, {target, end});
        });
    }

    /**
     * @param {any} target
     * @param {string} soundId
     */
    stop(target, soundId) {
        const playing = this.#playing.get(soundId);
        if (playing && playing.target === target) playing.end();
    }

    /** @param {any} [target] everybody's sounds without it */
    stopAllSounds(target) {
        for (const {target: owner, end} of [...this.#playing.values()]) {
            if (target === undefined || target === '*' || target === owner) end();
        }
    }

    setEffects() {}

    dispose() {
        this.stopAllSounds();
    }
}

/**
 * The engine as far as the VM uses it for sounds of sprites. Notes of the music blocks take their time from
 * the VM's own timers and need no player.
 * @param {Timers} timers of the judge's clock
 * @param {(target: any, soundId: string) => void} onPlay told of each start
 */
const silentAudio = (timers, onPlay) => {
    let players = 0;
    return {
        createBank: () => new SilentBank(timers, onPlay),
        /** @param {any} sound its rate and sampleCount are the project's own */
        decodeSoundPlayer: sound => {
            // Instruments are no sounds of the project; they are never ready, and so never played.
            if (!sound.md5) return new Promise(() => {});
            const rate = Number(sound.rate) || 1;
            const length = Number(sound.sampleCount) || 0;
            return Promise.resolve({id: `sound ${players++}`, buffer: {sampleRate: rate, length}});
        },
        // What a machine without a microphone measures.
        getLoudness: () => -1
    };
};

module.exports = {silentAudio};
