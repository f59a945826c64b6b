// @ts-check
// Judge of create/egg_timer: what is said when, and when the Egg is done.

const {expect, expectTexts} = require('./lib/expect.js');
const {expectCostume} = require('./lib/looks.js');
const {keepsCostume, putsOn} = require('./lib/sprite.js');
const {isThere} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const [EGG, PROMPT] = ['Egg', 'Press space'];
const [SECOND, SLACK] = [30, 2];
const BOILING_MS = 4000;
/** Ticks by which Ready may be late: the ding lasts 0.35 seconds, and may be heard to its end first. */
const DING = 16;
/** Ticks for which the Egg is watched after it was boiled. */
const AFTER = 20;

/** @param {Player} player @returns {string} what its speech bubble shows now */
const bubbleOf = player => {
    const egg = player.sprite(EGG);
    const bubble = egg.getCustomState('Scratch.looks');
    return bubble?.type === 'say' && isThere(egg) ? String(bubble.text) : '';
};

/**
 * Makes ticks uneven by some milliseconds, as they are on every machine: in an editor the timer hardly ever shows just 2,
 * so a program must not wait for that.
 * @param {Player} player
 */
const uneven = ({vm, ticks}) => {
    const runtime = /** @type {any} */ (vm.runtime);
    const update = runtime.updateCurrentMSecs;
    runtime.updateCurrentMSecs = () => {
        update.call(runtime);
        runtime.currentMSecs += ticks.count % 7;
    };
};

/**
 * What was said from some text on, the same text in a row counted once.
 * @param {Player} player
 * @param {number} before number of texts that are old
 * @returns {{text: string, tick: number}[]}
 */
const saidSince = (player, before) =>
    player.speech
        .entries(EGG)
        .slice(before)
        .map(({text, tick}) => ({text: String(text), tick}))
        .filter(({text}, i, all) => i === 0 || text !== all[i - 1].text);

/**
 * Boils one Egg and checks all of it, until nothing of it goes on.
 * @param {Player} player
 */
const boil = async player => {
    const [before, dings] = [player.speech.of(EGG).length, player.sounds.started.length];
    const start = player.ticks.count;
    /** @type {string[]} by tick */
    const shown = [];
    const end = player.ticks.observe(() => {
        shown.push(bubbleOf(player));
    });
    player.keys.press('space');
    await player.ticks.pass(2);
    player.keys.release('space');
    await player.ticks.pass(2);
    expectCostume(player.sprite(EGG), 'raw', 'after the space key');
    await putsOn(player, EGG, 'boiled', BOILING_MS);
    const took = player.ticks.count - start;
    const right = Math.abs(took - 2 * SECOND) <= 2 * SLACK;
    expect(right, `the Egg should be boiled after two seconds, not after ${took} ticks`);
    await player.ticks.rest(AFTER);
    end();
    const said = saidSince(player, before);
    // At the very end of the second second, 2 is no mistake.
    const counted = said.filter(({text, tick}) => !(text === '2' && tick - start > 2 * SECOND - SLACK));
    expectTexts(counted.map(({text}) => text), ['0', '1', 'Ready'], 'what it says after the space key');
    for (const [i, {text, tick}] of counted.entries()) {
        const late = tick - start - i * SECOND;
        const inTime = late >= -SLACK && late <= (text === 'Ready' ? DING : 2 * SLACK);
        expect(inTime, `${text} should come after ${i} seconds, but came ${late} ticks later`);
    }
    for (const second of [0, 1]) {
        const from = second * SECOND + 2 * SLACK + 1;
        const missing = shown.slice(from, (second + 1) * SECOND - SLACK).findIndex(text => text !== String(second));
        expect(missing < 0, `it should say ${second} throughout the second, but did not after ${from + missing} ticks`);
    }
    expectTexts(player.sounds.started.slice(dings).map(({sound}) => sound), ['ding'], 'the sounds');
};

module.exports = suite([
    {
        name: 'the flag makes it raw, and it says Press space',
        run: async player => {
            await player.flag();
            expectTexts(player.speech.of(EGG), [PROMPT], 'what it says after the flag');
            await keepsCostume(player, EGG, 'raw', 70);
            expectTexts(player.speech.of(EGG), [PROMPT], 'what it says without a key');
            expectTexts(player.sounds.started, [], 'the sounds without a key');
        }
    },
    {
        name: 'the space key boils it for two seconds, which are counted',
        run: async player => {
            await player.flag();
            await boil(player);
        }
    },
    {
        name: 'the seconds count from the key, not from the flag, and ticks need not come evenly',
        run: async player => {
            uneven(player);
            await player.flag();
            await player.ticks.pass(40);
            await boil(player);
        }
    },
    {
        name: 'a boiled Egg stays boiled, and dings once',
        run: async player => {
            await player.flag();
            await boil(player);
            await keepsCostume(player, EGG, 'boiled', 66);
            expectTexts(player.sounds.started.map(({sound}) => sound), ['ding'], 'the sounds two seconds later');
        }
    },
    {
        name: 'the next press boils another Egg',
        run: async player => {
            await player.flag();
            await boil(player);
            await boil(player);
        }
    },
    {
        name: 'a green flag while it boils leaves it raw, until space is pressed',
        run: async player => {
            await player.flag();
            await player.tap('space');
            await player.ticks.pass(40);
            const before = player.speech.of(EGG).length;
            await player.flag();
            await keepsCostume(player, EGG, 'raw', 75);
            expectTexts(player.speech.of(EGG).slice(before), [PROMPT], 'what it says after the second flag');
            expectTexts(player.sounds.started, [], 'the sounds after the second flag');
            await boil(player);
        }
    },
    {
        name: 'a green flag after a boiled Egg starts again with a raw one',
        run: async player => {
            await player.flag();
            await boil(player);
            const before = player.speech.of(EGG).length;
            await player.flag();
            expectCostume(player.sprite(EGG), 'raw', 'after the second flag');
            expectTexts(player.speech.of(EGG).slice(before), [PROMPT], 'what it says after the second flag');
            await boil(player);
        }
    }
]);
