// @ts-check
// Judge of create/frog_choir: who sings when, for how long, how loud, and what the Heron says meanwhile.

const {expect, expectEqual, expectTexts} = require('./lib/expect.js');
const {costumeOf, expectCostume} = require('./lib/looks.js');
const {isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {{from: number, to: number}} Span ticks in which a mouth was open
 * @typedef {Awaited<ReturnType<typeof listen>>} Concert
 */

const [LOW, HIGH] = ['Low Frog', 'High Frog'];
/** Both sounds last 0.4 seconds, 12 ticks; starting and ending may take some more. */
const [SONG, SLACK] = [12, 2];
const TEXTS = ['Low', 'High', 'Bravo'];

/** @param {Player} player @param {string} frog @returns {boolean} whether its mouth is seen to be open */
const isOpen = (player, frog) => costumeOf(player.sprite(frog)) === 'open' && isSeen(player.sprite(frog));

/**
 * Listens to one concert from the flag until the program rests. How long the Heron speaks is its own affair.
 * @param {Player} player
 */
const listen = async player => {
    /** @type {Record<string, Span[]>} */
    const open = {[LOW]: [], [HIGH]: []};
    /** @type {Record<string, number[]>} volumes while a mouth was open */
    const loud = {[LOW]: [], [HIGH]: []};
    const end = player.ticks.observe(tick => {
        for (const frog of [LOW, HIGH]) {
            const spans = open[frog];
            if (!isOpen(player, frog)) continue;
            loud[frog].push(player.sprite(frog).volume);
            const last = spans.at(-1);
            if (last && last.to === tick) last.to = tick + 1;
            else spans.push({from: tick, to: tick + 1});
        }
    });
    const before = player.speech.of('Heron').length;
    const heard = player.sounds.started.length;
    await player.flag();
    const ended = () => player.speech.of('Heron').slice(before).includes(TEXTS[2]);
    await player.ticks.until('the Heron said "Bravo"', ended, Infinity);
    await player.ticks.rest();
    end();
    const said = player.speech.entries('Heron').slice(before);
    return {open, loud, said, sounds: player.sounds.started.slice(heard)};
};

/** @param {Concert} concert */
const expectWords = ({said}) => expectTexts(said.map(entry => entry.text), TEXTS, 'what the Heron says');

/**
 * Expects that a frog opened its mouth once, for as long as its sound lasts.
 * @param {Concert} concert
 * @param {string} frog
 */
const expectOneSong = ({open}, frog) => {
    expectEqual(open[frog].length, 1, `how often the ${frog} opens its mouth`);
    const [{from, to}] = open[frog];
    const long = to - from;
    expect(Math.abs(long - SONG) <= SLACK, `the mouth of the ${frog} should be open for 0.4 seconds, not for ${long} ticks`);
};

/** @param {Concert} concert */
const expectSounds = ({open, sounds}) => {
    const heard = sounds.map(({sprite, sound}) => `${sprite}: ${sound}`);
    expectTexts(heard, [`${LOW}: low`, `${HIGH}: high`], 'the sounds');
    for (const {sprite, tick} of sounds) {
        const inside = open[sprite].some(({from, to}) => tick >= from - 1 && tick <= to);
        expect(inside, `the ${sprite} should sing with its mouth open`);
    }
};

/** @param {Concert} concert */
const expectOrder = concert => {
    const {open, said} = concert;
    expectOneSong(concert, LOW);
    expectOneSong(concert, HIGH);
    const [low, high] = [open[LOW][0], open[HIGH][0]];
    const tickOf = (/** @type {string} */ text) => said.find(entry => entry.text === text)?.tick ?? -1;
    expect(tickOf('Low') >= 0 && tickOf('Low') <= low.from, 'the Heron should say "Low" before the Low Frog sings');
    expect(tickOf('High') >= low.to - 1, 'the Heron should say "High" after the Low Frog has ended');
    expect(high.from >= low.to, 'the High Frog should sing after the Low Frog');
    expect(tickOf('High') <= high.from, 'the Heron should say "High" before the High Frog sings');
    expect(tickOf('Bravo') >= high.to - 1, 'the Heron should say "Bravo" after the High Frog has ended');
};

/** @param {Concert} concert */
const expectVolumes = ({loud}) => {
    for (const [frog, volume] of /** @type {const} */ ([[LOW, 40], [HIGH, 80]])) {
        expect(loud[frog].length > 0, `the ${frog} should sing`);
        for (const found of loud[frog]) expectEqual(found, volume, `the volume of the ${frog} while it sings`);
    }
};

module.exports = suite([
    {
        name: 'the Heron says Low, High and Bravo, and nothing else',
        run: async player => expectWords(await listen(player))
    },
    {
        name: 'each frog opens its mouth once, for as long as it sings',
        run: async player => {
            const concert = await listen(player);
            for (const frog of [LOW, HIGH]) {
                expectOneSong(concert, frog);
                expectCostume(player.sprite(frog), 'shut', 'after its song');
            }
        }
    },
    {
        name: 'each frog plays its own sound once, with its mouth open',
        run: async player => expectSounds(await listen(player))
    },
    {
        name: 'each waits for the one before',
        run: async player => expectOrder(await listen(player))
    },
    {
        name: 'the Low Frog sings at 40% volume, the High Frog at 80%',
        run: async player => expectVolumes(await listen(player))
    },
    {
        name: 'a second green flag gives the same concert once more',
        run: async player => {
            await listen(player);
            const second = await listen(player);
            expectWords(second);
            expectSounds(second);
            expectOrder(second);
            expectVolumes(second);
        }
    }
]);
