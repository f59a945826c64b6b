// @ts-check
// What the judges over the base marsh_band share: watching a show from its costumes and texts.

const {expectAt, expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

/** @typedef {import('./player.js').Player} Player */

/** The musicians and the costume that each wears while it has nothing to do. */
const IDLE = {Frog: 'rest', Newt: 'stand', Cricket: 'still'};
/** Where the flag puts everybody. @type {[string, number, number][]} */
const PLACES = [['Heron', -170, -30], ['Frog', -70, -60], ['Newt', 30, -50], ['Cricket', 140, -60]];
/** A show with its bow takes less. */
const SHOW_MS = 8000;
/** What happens in one verse. */
const VERSE = ['Frog begins', 'Frog ends', 'Newt begins', 'Newt ends'];

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
 * Clicks the Heron and waits until the bow is over.
 * @param {Player} player
 * @returns {Promise<string[]>} the acts
 */
const playShow = async player => {
    const acts = watchActs(player);
    const before = player.speech.of('Frog').length;
    await player.click('Heron');
    await player.ticks.until('the Frog thanked after the show', () => player.speech.of('Frog').length > before, SHOW_MS);
    await player.ticks.until('the Frog was quiet again', () => player.speech.entries('Frog').every(({over}) => over), SHOW_MS);
    await player.ticks.pass(3);
    return acts;
};

/** The flag puts everybody in place. */
const placesCase = {
    name: 'the green flag still sends everybody to their places, and a show still has three verses and ends with a bow',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        for (const [name, x, y] of PLACES) expectAt(player.sprite(name), x, y, 'after the flag');
        const verses = player.data.watch('verse');
        await playShow(player);
        expectEqual(verses.values.join(' '), '0 1 2 3', 'the values of verse');
        expectEqual(player.speech.of('Frog').join(), 'Croak!', 'what the Frog says');
        expectEqual(player.speech.of('Newt').join(), 'Thank you!', 'what the Newt says');
        for (const [name, x, y] of PLACES) expectAt(player.sprite(name), x, y, 'after the show');
        await player.flag();
        expectEqual(player.variable('verse'), 0, 'verse after a new flag');
    }
};

module.exports = {VERSE, SHOW_MS, watchActs, expectActs, playShow, placesCase};
