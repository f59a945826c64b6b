// @ts-check
// Makes the tasks' sounds, so that their origin is plain: each is a few lines of arithmetic, ours, CC0.
// Run it with `node assets/make-sounds.mjs` from the root; it writes the same bytes each time.
import {writeFileSync} from 'node:fs';

/** Samples a second; low, since these are short signals. */
const RATE = 11025;

/**
 * @param {number} seconds length
 * @param {(t: number) => number} wave amplitude from -1 to 1 at a time in seconds
 * @returns {Buffer} a mono WAV file with 16 bits a sample
 */
const wav = (seconds, wave) => {
    const count = Math.round(seconds * RATE);
    const data = Buffer.alloc(44 + 2 * count);
    data.write('RIFF', 0);
    data.writeUInt32LE(36 + 2 * count, 4);
    data.write('WAVEfmt ', 8);
    data.writeUInt32LE(16, 16);
    data.writeUInt16LE(1, 20);
    data.writeUInt16LE(1, 22);
    data.writeUInt32LE(RATE, 24);
    data.writeUInt32LE(2 * RATE, 28);
    data.writeUInt16LE(2, 32);
    data.writeUInt16LE(16, 34);
    data.write('data', 36);
    data.writeUInt32LE(2 * count, 40);
    for (let i = 0; i < count; i += 1) data.writeInt16LE(Math.round(wave(i / RATE) * 32000), 44 + 2 * i);
    return data;
};

const sine = (/** @type {number} */ hertz, /** @type {number} */ t) => Math.sin(2 * Math.PI * hertz * t);

/** A switch: a short, dull tick. */
const click = wav(0.06, t => 0.8 * Math.exp(-90 * t) * (sine(1400, t) + 0.4 * sine(310, t)) * 0.7);
/** A mole that was found: a thin note that rises. */
const found = wav(0.16, t => 0.5 * Math.sin(Math.PI * Math.min(t / 0.16, 1)) * sine(900 + 2600 * t, t));
/** A frog's call: a tone that is cut into pulses; 0.4 seconds. */
const croak = (/** @type {number} */ hertz) =>
    wav(0.4, t => 0.6 * Math.sin(Math.PI * Math.min(t / 0.4, 1)) * sine(hertz, t) * (0.5 + 0.5 * sine(28, t)));
/** A ship's horn: two low notes that swell and fade within half a second. */
const horn = wav(0.5, t => 0.4 * Math.sin(Math.PI * Math.min(t / 0.5, 1)) * (sine(146.8, t) + sine(174.6, t)));
/** A bite: a high note that falls away at once. */
const crunch = wav(0.12, t => 0.7 * Math.exp(-40 * t) * sine(900 - 4000 * t, t));
/** A pearl in a shell: one clear note. */
const pling = wav(0.2, t => 0.6 * Math.exp(-18 * t) * (sine(1320, t) + 0.4 * sine(2640, t)) * 0.7);
/** A hop: a note that slides up. */
const hop = wav(0.15, t => 0.6 * Math.exp(-14 * t) * sine(300 + 1400 * t, t));
/** A till: two bells, the second a little later. */
const ching = wav(0.3, t => 0.4 * Math.exp(-14 * t) * (sine(1760, t) + (t > 0.07 ? sine(2217, t) : 0)));
/** A bite into something crisp, deeper than the beetle's. */
const crisp = wav(0.12, t => 0.6 * Math.exp(-35 * t) * sine(600 - 2200 * t, t));
/** A startled mole. */
const squeak = wav(0.12, t => 0.5 * Math.sin(Math.PI * Math.min(t / 0.12, 1)) * sine(1500 + 2500 * t, t));
/** A hammer on stone. */
const knock = wav(0.15, t => 0.8 * Math.exp(-50 * t) * (sine(420, t) + 0.5 * sine(1130, t)) * 0.6);

writeFileSync('tasks/bases/pearl_sub/assets/pling.wav', pling);
writeFileSync('tasks/bases/hare_run/assets/hop.wav', hop);
writeFileSync('tasks/bases/bun_counter/assets/ching.wav', ching);
writeFileSync('tasks/bases/mole_maze/assets/crisp.wav', crisp);
writeFileSync('tasks/bases/mole_maze/assets/squeak.wav', squeak);
writeFileSync('tasks/create/porch_lantern/assets/click.wav', click);
writeFileSync('tasks/create/mole_patch/assets/squeak.wav', found);
writeFileSync('tasks/create/frog_choir/assets/low.wav', croak(130));
writeFileSync('tasks/create/frog_choir/assets/high.wav', croak(210));
writeFileSync('tasks/debug/stuck_ferry/assets/horn.wav', horn);
writeFileSync('tasks/extend/hungry_beetle/assets/crunch.wav', crunch);
writeFileSync('tasks/compute/stair_stones/assets/knock.wav', knock);
