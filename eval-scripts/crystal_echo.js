// @ts-check
// Judge of create/crystal_echo: random tunes, how they are played, and how clicks are answered.

const {expect, expectEqual, expectTexts} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen, isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {{crystal: string, from: number, to: number}} Flash ticks in which a crystal was bright
 */

const LENGTH = 4;
/** By number in the tune. */
const CRYSTALS = ['', 'Ruby', 'Jade'];
/** Draws: that two of the four places always get the same number, or never, happens once in 10^12 times. */
const GAMES = 45;
/** Flags while a crystal shines; in one of two, the next tune begins with the other crystal. */
const RESTARTS = 10;
/** A flash lasts 0.2 seconds, 6 ticks, the pause after it 0.1 seconds, 3 ticks. */
const [FLASH, PAUSE, SLACK] = [6, 3, 2];
const TUNE_MS = 4000;

/** @param {Player} player @returns {number[]} the tune, when it is complete */
const tuneOf = player => player.data.list('tune').map(Number);

/** @param {Player} player */
const said = player => player.speech.of('Bat');

/** @param {Player} player @param {string} crystal @returns {boolean} whether it is seen to shine */
const isBright = (player, crystal) => costumeOf(player.sprite(crystal)) === 'bright' && isSeen(player.sprite(crystal));

/**
 * Starts a game and waits until it is the player's turn.
 * @param {Player} player
 * @returns {Promise<number[]>} the tune
 */
const start = async player => {
    const before = said(player).length;
    await player.flag();
    await player.ticks.until('the Bat said something', () => said(player).length > before, TUNE_MS);
    expectTexts(said(player).slice(before), ['Your turn'], 'what the Bat says after the tune');
    await player.ticks.pass(2);
    expectEqual(player.variable('step'), 1, 'step when it is the turn of the player');
    for (const crystal of CRYSTALS.slice(1)) expectSeen(player.sprite(crystal), 'when it is the turn of the player');
    return tuneOf(player);
};

/**
 * Notes when crystals are bright, from now on.
 * @param {Player} player
 * @returns {Flash[]} it grows
 */
const watchFlashes = player => {
    /** @type {Flash[]} */
    const flashes = [];
    player.ticks.observe(tick => {
        for (const crystal of CRYSTALS.slice(1)) {
            if (!isBright(player, crystal)) continue;
            const last = flashes.filter(flash => flash.crystal === crystal).at(-1);
            if (last && last.to === tick) last.to = tick + 1;
            else flashes.push({crystal, from: tick, to: tick + 1});
        }
    });
    return flashes;
};

/**
 * Starts a game and looks at how its tune is played: flashes, pauses, sounds, and when the Bat speaks.
 * @param {Player} player
 * @returns {Promise<number[]>} the tune
 */
const hearTune = async player => {
    const [flashes, heard, spoken] = [watchFlashes(player), player.sounds.started.length, said(player).length];
    const tune = await start(player);
    expectTexts(flashes.map(({crystal}) => crystal), tune.map(number => CRYSTALS[number]), 'the crystals that shine');
    for (const [i, {crystal, from, to}] of flashes.entries()) {
        const long = to - from;
        expect(Math.abs(long - FLASH) <= SLACK, `the ${crystal} should shine for 0.2 seconds, not for ${long} ticks`);
        if (i === 0) continue;
        const pause = from - flashes[i - 1].to;
        const right = pause >= PAUSE - 1 && pause <= PAUSE + 2 * SLACK;
        expect(right, `there should be a pause of 0.1 seconds after a flash, not of ${pause} ticks`);
    }
    const sounds = player.sounds.started.slice(heard);
    const wanted = tune.map(number => CRYSTALS[number].toLowerCase());
    expectTexts(sounds.map(({sound}) => sound), wanted, 'the sounds');
    for (const [i, {tick}] of sounds.entries()) {
        const {from, to} = flashes[i];
        expect(tick >= from - 1 && tick <= to, `sound ${i + 1} should be started with its flash`);
    }
    const turn = player.speech.entries('Bat')[spoken].tick;
    expect(turn >= flashes[LENGTH - 1].to, 'the Bat should say "Your turn" after the last flash');
    return tune;
};

/**
 * Clicks the right or the wrong crystal and checks step and speech.
 * @param {Player} player
 * @param {number[]} tune
 * @param {number} step place in the tune, from 1
 * @param {boolean} right
 */
const click = async (player, tune, step, right) => {
    const before = said(player).length;
    const number = right ? tune[step - 1] : 3 - tune[step - 1];
    await player.click(CRYSTALS[number]);
    const [wanted, what] = right ? [step + 1, 'a right'] : [1, 'a wrong'];
    expectEqual(player.variable('step'), wanted, `step after ${what} click at step ${step}`);
    const speech = right ? (step === LENGTH ? ['Well done'] : []) : ['Wrong'];
    expectTexts(said(player).slice(before), speech, `what the Bat says after ${what} click at step ${step}`);
};

/**
 * Repeats the tune without a mistake.
 * @param {Player} player
 * @param {number[]} tune
 */
const repeatTune = async (player, tune) => {
    for (let step = 1; step <= LENGTH; step += 1) await click(player, tune, step, true);
};

module.exports = suite([
    {
        name: 'each flag draws a new tune of four numbers, 1 or 2',
        run: async player => {
            /** @type {number[][]} */
            const tunes = [];
            for (let i = 0; i < GAMES; i += 1) {
                await player.flag();
                await player.ticks.until('tune had four items', () => player.data.list('tune').length === LENGTH, 1000);
                tunes.push(tuneOf(player));
            }
            const shown = tunes.map(tune => tune.join('')).join(', ');
            expect(tunes.flat().every(number => number === 1 || number === 2), `tunes should be of 1 and 2, not ${shown}`);
            for (let place = 0; place < LENGTH; place += 1) {
                const numbers = new Set(tunes.map(tune => tune[place]));
                expect(numbers.size === 2, `place ${place + 1} should be drawn at random, but tunes were ${shown}`);
                for (let other = 0; other < place; other += 1) {
                    const likes = new Set(tunes.map(tune => tune[place] === tune[other]));
                    const free = `place ${place + 1} should not depend on place ${other + 1}, but tunes were ${shown}`;
                    expect(likes.size === 2, free);
                }
            }
        }
    },
    {
        name: 'the tune is played by flashes of the right crystals with their sounds, one after the other',
        run: async player => {
            await hearTune(player);
        }
    },
    {
        name: 'after the tune, nothing more shines or is said without a click',
        run: async player => {
            const flashes = watchFlashes(player);
            await start(player);
            await player.ticks.rest();
            expectEqual(flashes.length, LENGTH, 'the number of flashes some time later');
            expectEqual(player.sounds.started.length, LENGTH, 'the number of sounds some time later');
            expectTexts(said(player), ['Your turn'], 'what the Bat says without a click');
        }
    },
    {
        name: 'right clicks lead to Well done, and the Bat says nothing else',
        run: async player => {
            const tune = await start(player);
            await repeatTune(player, tune);
            await player.ticks.rest();
            expectTexts(said(player), ['Your turn', 'Well done'], 'what the Bat says');
            expectEqual(player.variable('step'), LENGTH + 1, 'step in the end');
        }
    },
    {
        name: 'a wrong click sets step back to 1, at the first place, too, and the tune can be tried again',
        run: async player => {
            const tune = await start(player);
            await click(player, tune, 1, false);
            for (const wrongAt of [2, 3, 4]) {
                for (let step = 1; step < wrongAt; step += 1) await click(player, tune, step, true);
                await click(player, tune, wrongAt, false);
            }
            await repeatTune(player, tune);
        }
    },
    {
        name: 'after a wrong click, the Bat says nothing else',
        run: async player => {
            const tune = await start(player);
            await click(player, tune, 1, true);
            await click(player, tune, 2, false);
            await player.ticks.rest();
            expectTexts(said(player), ['Your turn', 'Wrong'], 'what the Bat says');
            expectEqual(player.variable('step'), 1, 'step some time after a wrong click');
        }
    },
    {
        name: 'a second green flag starts a new game, with a tune of its own',
        run: async player => {
            const first = await start(player);
            await click(player, first, 1, true);
            await click(player, first, 2, true);
            const second = await hearTune(player);
            expectEqual(second.length, LENGTH, 'the length of the second tune');
            await click(player, second, 1, false);
            await repeatTune(player, second);
        }
    },
    {
        name: 'a green flag while a crystal shines makes it dim',
        run: async player => {
            const shines = (/** @type {string} */ crystal) => isBright(player, crystal);
            await player.flag();
            for (let i = 0; i < RESTARTS; i += 1) {
                await player.ticks.until('a crystal was bright', () => CRYSTALS.slice(1).some(shines), 1000);
                // A crystal that stays bright is seen when the other one shines.
                await player.flag();
                const alone = () => !CRYSTALS.slice(1).every(shines);
                await player.ticks.always('the crystals shine one after the other', alone, FLASH + PAUSE);
            }
            await start(player);
            expect(!CRYSTALS.slice(1).some(shines), 'both crystals should be dim after the tune');
        }
    }
]);
