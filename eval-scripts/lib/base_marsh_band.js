// @ts-check
// What the judges over the base marsh_band share: watching a show from its costumes, sounds and texts.

const {expectHeard, expectWords, WHILE} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');
const {costumeOf, expectCostume} = require('./looks.js');

/** @typedef {import('./player.js').Player} Player */

/** The musicians and the costume that each wears while it has nothing to do. */
const IDLE = {Frog: 'rest', Newt: 'stand', Cricket: 'still'};
/** Where the flag puts everybody, and in which costume. @type {[string, number, number, string][]} */
const PLACES = [
    ['Heron', -170, -30, 'baton down'],
    ['Frog', -70, -60, 'rest'],
    ['Newt', 30, -50, 'stand'],
    ['Cricket', 140, -60, 'still']
];
/** A show with its bow takes less, with all that an extended one may have. */
const SHOW_MS = 12000;
/** What happens in one verse. */
const VERSE = ['Frog begins', 'Frog ends', 'Newt begins', 'Newt ends'];
/** How high the Newt leaps. */
const LEAP = 60;

/** @type {(keyof typeof IDLE)[]} */
const MUSICIANS = ['Frog', 'Newt', 'Cricket'];

/**
 * Notes from now on when a musician puts on the costume in which it performs ("Frog begins") and when it puts it off
 * ("Frog ends"). What ends in a tick comes before what begins in it: which comes first within a tick can't be seen.
 * @param {Player} player
 * @returns {string[]} grows while the show goes on
 */
const watchActs = player => {
    /** @type {string[]} */
    const acts = [];
    const isBusy = (/** @type {keyof typeof IDLE} */ name) => costumeOf(player.sprite(name)) !== IDLE[name];
    const busy = new Map(MUSICIANS.map(name => [name, isBusy(name)]));
    player.ticks.observe(() => {
        const changed = MUSICIANS.filter(name => isBusy(name) !== busy.get(name));
        for (const name of changed) busy.set(name, isBusy(name));
        acts.push(...changed.filter(name => !busy.get(name)).map(name => `${name} ends`));
        acts.push(...changed.filter(name => busy.get(name)).map(name => `${name} begins`));
    });
    return acts;
};

/**
 * @param {string[]} acts as they happened
 * @param {string[]} wanted as they should
 * @param {string} when completes the message
 */
const expectActs = (acts, wanted, when) => expectEqual(acts.join(', '), wanted.join(', '), `what happens ${when}`);

/**
 * Expects that everybody stands in place, with nothing to do.
 * @param {Player} player
 * @param {string} when
 */
const expectPlaces = (player, when) => {
    for (const [name, x, y, costume] of PLACES) {
        expectAt(player.sprite(name), x, y, when);
        expectCostume(player.sprite(name), costume, when);
    }
};

/**
 * Clicks the Heron and waits until the bow is over.
 * @param {Player} player
 * @param {boolean} [untilOver] false: only until the bow has begun
 * @returns {Promise<string[]>} the acts
 */
const playShow = async (player, untilOver = true) => {
    const acts = watchActs(player);
    const before = player.speech.of('Frog').length;
    await player.click('Heron');
    await player.ticks.until('the Frog took its bow after the show', () => player.speech.of('Frog').length > before, SHOW_MS);
    if (untilOver) await player.ticks.until('the Frog was quiet again', () => player.speech.entries('Frog').every(({over}) => over), SHOW_MS);
    await player.ticks.pass(3);
    return acts;
};

/**
 * The ticks, from 0, in which a costume was put on, and those in which it was put off.
 * @param {import('./motion.js').Track} track
 * @param {string} costume
 */
const wornFrom = ({samples}, costume) => {
    const changes = samples.filter((sample, i) => i > 0 && sample.costume !== samples[i - 1].costume);
    return {
        on: changes.filter(sample => sample.costume === costume).map(({tick}) => tick),
        off: changes.filter(sample => sample.costume !== costume).map(({tick}) => tick)
    };
};

/**
 * Plays a show and looks at all that is seen and heard of it.
 * @param {Player} player
 * @param {string[]} verse the acts of each verse
 * @param {number} shows played before since loading
 */
const expectShow = async (player, verse, shows) => {
    const names = ['Heron', 'Frog', 'Newt'];
    const tracks = names.map(name => player.motion.watch(player.sprite(name)));
    const verses = player.data.watch('verse');
    const acts = await playShow(player, shows === 0);
    expectActs(acts, [...verse, ...verse, ...verse], 'in a show');
    for (const track of tracks) track.expectSeen('in a show');
    expectEqual(verses.values.slice(-3).join(' '), '1 2 3', 'the values of verse');
    expectHeard(player, 'Frog', Array(3 * (shows + 1)).fill('boom'), `after show ${shows + 1}`);
    const [up, drum, leap] = [wornFrom(tracks[0], 'baton up'), wornFrom(tracks[1], 'drum'), wornFrom(tracks[2], 'leap')];
    expectEqual(up.on.length, 3, 'how often the Heron lifts its baton');
    for (let i = 0; i < 3; i += 1) {
        expect(Math.abs(up.on[i] - drum.on[i]) <= 2, `the Heron should lift its baton when the Frog begins in verse ${i + 1}`);
        expect(Math.abs(up.off[i] - drum.off[i]) <= 3, `the Heron should lower its baton when the Frog ends in verse ${i + 1}`);
        const height = tracks[2].samples.filter(({tick}) => tick >= leap.on[i] && tick <= leap.off[i]).map(({y}) => y);
        expect(Math.abs(Math.max(...height) - PLACES[2][2] - LEAP) < 1e-6, `the Newt should leap up by ${LEAP} in verse ${i + 1}`);
    }
    expect(tracks[2].longestStep < LEAP / 2, 'the Newt should rise and fall little by little');
    expectWords(player, 'Frog', Array(shows + 1).fill('Croak!'), `after show ${shows + 1}`);
    expectWords(player, 'Newt', Array(shows + 1).fill('Thank you!'), `after show ${shows + 1}`);
    expectWords(player, 'Heron', [], 'in a show');
    const [frog, newt] = ['Frog', 'Newt'].map(name => player.speech.entries(name)[shows]);
    expect(Math.abs(frog.tick - newt.tick) <= 1, 'the Frog and the Newt should bow at the same time');
    for (const {sprite, ticks} of shows === 0 ? [frog, newt] : []) {
        expect(Math.abs(ticks - 30) <= 2, `the ${sprite} should speak for a second, not for ${ticks} ticks`);
    }
    expectPlaces(player, 'after the show');
};

/**
 * Expects that nothing is done, heard or said any more.
 * @param {Player} player
 */
const expectSilence = async player => {
    const acts = watchActs(player);
    const counts = () => [acts, player.speech.said, player.speech.thought, player.sounds.started].map(({length}) => length).join();
    const before = counts();
    await player.ticks.always('nothing more happens after the show', () => counts() === before, WHILE);
    expectCostume(player.sprite('Heron'), 'baton down', 'after the show');
};

/**
 * All that the base does.
 * @param {string[]} [verse] the acts of each verse
 */
const playThrough = (verse = VERSE) => [
    {
        name: 'the green flag still sends everybody to their places, and a show has three verses and a bow',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectPlaces(player, 'after the flag');
            await expectShow(player, verse, 0);
            await expectSilence(player);
            await player.flag();
            expectEqual(player.variable('verse'), 0, 'verse after a new flag');
        }
    },
    {
        name: 'a second show is as the first one',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await playShow(player, false);
            await expectShow(player, verse, 1);
        }
    },
    {
        name: 'the green flag breaks a show off at any time',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            const frog = player.sprite('Frog');
            const newt = player.sprite('Newt');
            await player.click('Heron');
            await player.ticks.until('the Frog drummed', () => costumeOf(frog) === 'drum', 1000);
            await player.flag();
            expectPlaces(player, 'after a flag while the Frog drummed');
            await player.click('Heron');
            await player.ticks.until('the Newt leapt', () => newt.y > PLACES[2][2] + 20, 2000);
            expectEqual(player.variable('verse'), 1, 'verse at the first leap');
            await player.flag();
            expectPlaces(player, 'after a flag while the Newt leapt');
            expectEqual(player.variable('verse'), 0, 'verse after a flag');
            await expectSilence(player);
            expectWords(player, 'Frog', [], 'after a show that was broken off');
        }
    }
];

module.exports = {VERSE, SHOW_MS, watchActs, expectActs, playShow, playThrough};
