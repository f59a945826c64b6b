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
/** A rooster, shortened: up and down again. */
const crow = wav(0.35, t => 0.5 * Math.sin(Math.PI * Math.min(t / 0.35, 1)) * sine(620 + 500 * Math.sin(9 * t), t));
/** A small glass bell with its octave. */
const bell = (/** @type {number} */ hertz) =>
    wav(0.35, t => 0.45 * Math.exp(-9 * t) * (sine(hertz, t) + 0.5 * sine(2.01 * hertz, t)));
/** Water: many quick notes that fade. */
const splash = wav(0.3, t => 0.5 * Math.exp(-12 * t) * sine(500 + 380 * sine(61, t), t) * (0.6 + 0.4 * sine(13, t)));
/** Wood on wood: a windmill's brake. */
const creak = wav(0.25, t => 0.5 * Math.exp(-9 * t) * sine(240 - 260 * t, t) * (0.6 + 0.4 * sine(47, t)));
/** Something soft falls into a basket. */
const thump = wav(0.16, t => 0.9 * Math.exp(-26 * t) * sine(150 - 220 * t, t));
/** A coin on coins. */
const clink = wav(0.14, t => 0.5 * Math.exp(-30 * t) * (sine(2100, t) + 0.7 * sine(3140, t)));
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
writeFileSync('tasks/create/owl_and_rooster/assets/crow.wav', crow);
writeFileSync('tasks/create/egg_timer/assets/ding.wav', bell(1320));
writeFileSync('tasks/create/penguin_path/assets/splash.wav', splash);
writeFileSync('tasks/create/windmill_brake/assets/creak.wav', creak);
writeFileSync('tasks/create/apple_basket/assets/thump.wav', thump);
writeFileSync('tasks/create/crystal_echo/assets/ruby.wav', bell(660));
writeFileSync('tasks/create/crystal_echo/assets/jade.wav', bell(880));
writeFileSync('tasks/create/piggy_bank/assets/clink.wav', clink);
writeFileSync('tasks/debug/stuck_ferry/assets/horn.wav', horn);
writeFileSync('tasks/extend/hungry_beetle/assets/crunch.wav', crunch);
writeFileSync('tasks/compute/stair_stones/assets/knock.wav', knock);

/** A firefly's light goes up: two small bells. */
const ping = wav(0.2, t => 0.4 * Math.exp(-18 * t) * (sine(1320, t) + 0.6 * sine(1980, t)));
/** A frog's drum. */
const boom = wav(0.3, t => 0.8 * Math.exp(-12 * t) * sine(150 - 120 * t, t));
/** One stroke of a cricket's fiddle. */
const fiddle = wav(0.2, t => 0.3 * Math.sin(Math.PI * Math.min(t / 0.2, 1)) * (sine(659.3, t) + 0.5 * sine(1318.5, t) + 0.25 * sine(1977.8, t)));
/** A shell on an otter's belly. */
const tock = wav(0.1, t => 0.7 * Math.exp(-45 * t) * (sine(520, t) + 0.4 * sine(1250, t)) * 0.7);
/** Something falls into the water: noise from a fixed sum of tones that fades. */
const plunge = wav(0.35, t => 0.22 * Math.exp(-9 * t) * (sine(613, t * (1 + t)) + sine(1187, t) + sine(1733 - 900 * t, t) + sine(2411, t)));
/** A starfish is hit. */
const ting = wav(0.25, t => 0.5 * Math.exp(-14 * t) * (sine(1046.5, t) + 0.5 * sine(2637, t)) * 0.7);
/** A gull's cry falls. */
const cry = wav(0.4, t => 0.4 * Math.sin(Math.PI * Math.min(t / 0.4, 1)) * sine(1500 - 900 * t, t));
/** A bubble bursts. */
const pop = wav(0.08, t => 0.7 * Math.exp(-50 * t) * sine(400 + 5000 * t, t));
/** A flower opens: three notes one after another. */
const harp = wav(0.4, t => 0.5 * Math.exp(-10 * (t % 0.13)) * sine([523.3, 659.3, 784][Math.min(Math.floor(t / 0.13), 2)], t));
/** A valve turns. */
const creaks = wav(0.15, t => 0.3 * Math.sin(Math.PI * Math.min(t / 0.15, 1)) * sine(1100 + 2500 * t, t));

writeFileSync('tasks/bases/firefly_meadow/assets/ping.wav', ping);
writeFileSync('tasks/bases/marsh_band/assets/boom.wav', boom);
writeFileSync('tasks/bases/marsh_band/assets/fiddle.wav', fiddle);
writeFileSync('tasks/bases/otter_shell/assets/tock.wav', tock);
writeFileSync('tasks/bases/otter_shell/assets/splash.wav', plunge);
writeFileSync('tasks/bases/otter_shell/assets/ting.wav', ting);
writeFileSync('tasks/bases/otter_shell/assets/cry.wav', cry);
writeFileSync('tasks/bases/otter_shell/assets/pop.wav', pop);
writeFileSync('tasks/bases/flower_pump/assets/harp.wav', harp);
writeFileSync('tasks/bases/flower_pump/assets/squeak.wav', creaks);
