// @ts-check
// Judge of extend/mole_moves: steps and bumps are counted, kept through bites and levels, and told in the end.

const {START, STEP, walk, walkTo, fetchKey, fetchBeet, passWorm, getBitten, playThrough} = require('./lib/base_mole_maze.js');
const {same} = require('./lib/cast.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** @param {Player} player @returns {[number, number]} */
const counts = player => [Number(player.variable('steps')), Number(player.variable('bumps'))];

/** @param {Player} player @param {number} steps @param {number} bumps @param {string} when */
const expectCounts = (player, steps, bumps, when) => {
    expectEqual(player.variable('steps'), steps, `steps ${when}`);
    expectEqual(player.variable('bumps'), bumps, `bumps ${when}`);
};

/**
 * Adds up the way of the Mole; jumps back to the start are no steps.
 * @param {Player} player
 */
const stepsSeen = player => {
    const track = player.motion.watch(player.sprite('Mole'));
    return () => {
        const ways = track.samples.slice(1).map(({x, y}, i) => Math.hypot(x - track.samples[i].x, y - track.samples[i].y));
        return ways.filter(way => way === STEP).length;
    };
};

module.exports = suite([
    {
        name: 'steps count the way, to and fro',
        run: async player => {
            await player.flag();
            expectCounts(player, 0, 0, 'after the flag');
            await walkTo(player, 'right arrow', START.x + 7 * STEP);
            expectCounts(player, 7, 0, 'after seven steps to the right');
            await walkTo(player, 'left arrow', START.x + 4 * STEP);
            expectCounts(player, 10, 0, 'after three steps back');
        }
    },
    {
        name: 'bumps count what a wall takes back',
        run: async player => {
            await player.flag();
            await walkTo(player, 'right arrow', START.x + 2 * STEP);
            let bumps = 0;
            for (const key of ['up arrow', 'down arrow']) {
                await player.keys.hold(key, 6);
                const [steps, now] = counts(player);
                expectEqual(steps, 2, 'steps after bumps only');
                expect(Math.abs(now - bumps - 6) <= 1, `a key held for 6 ticks should make 6 bumps, not ${now - bumps}`);
                bumps = now;
            }
            await player.ticks.pass(5);
            expectCounts(player, 2, bumps, 'when no key is held');
            expectAt(player.sprite('Mole'), START.x + 2 * STEP, START.y, 'after bumps');
        }
    },
    {
        name: 'the closed Gate counts as a bump',
        run: async player => {
            const mole = player.sprite('Mole');
            await player.flag();
            await walkTo(player, 'right arrow', -30);
            await walkTo(player, 'up arrow', 90);
            await walk(player, 'right arrow', 'the Mole came to the Gate', () => mole.x >= 30);
            await player.keys.hold('right arrow', 5);
            const [steps, bumps] = counts(player);
            expectEqual(steps, 30 + (mole.x + 30) / STEP, 'steps before the Gate');
            expect(bumps >= 2, `the Mole should bump into the Gate, but bumps is ${bumps}`);
        }
    },
    {
        name: 'bites and the next level change no number',
        run: async player => {
            await player.flag();
            const seen = stepsSeen(player);
            await getBitten(player);
            const [steps] = counts(player);
            // The step that leads into the Worm ends at the start.
            expect(steps - seen() >= 0 && steps - seen() <= 1, `steps should be ${seen()} or one more after a bite, not ${steps}`);
            await fetchKey(player);
            await fetchBeet(player);
            const [all] = counts(player);
            expect(all - seen() >= 0 && all - seen() <= 2, `steps should be about ${seen()} on the second level, not ${all}`);
        }
    },
    {
        name: 'the Beet tells the numbers in the end',
        run: async player => {
            await player.flag();
            await fetchKey(player);
            await fetchBeet(player);
            await player.keys.hold('down arrow', 3);
            await passWorm(player);
            const before = ['steps', 'bumps'].map(name => player.data.watch(name));
            await walk(player, 'up arrow', 'the Beet spoke', () => player.speech.of('Beet').length > 0);
            const [steps, bumps] = counts(player);
            expect(steps > 100 && bumps > 0, 'a whole game should take more than 100 steps');
            const [{text, tick}] = player.speech.entries('Beet');
            // The Mole may walk on for a tick or two while the Beet hears of it.
            const [some, more] = before.map(({entries}) => entries.filter((_, i) => (entries[i + 1]?.tick ?? tick) >= tick - 2).map(({value}) => value));
            const texts = some.flatMap(s => more.map(b => `Harvest! Steps: ${s}, bumps: ${b}`));
            expect(texts.some(each => same(each, text)), `the Beet should say ${texts.join(' or ')}, but says ${text}`);
            await player.ticks.until('the Beet was quiet again', () => player.speech.entries('Beet')[0].over, 2000);
            const {ticks} = player.speech.entries('Beet')[0];
            expect(Math.abs(ticks - 30) <= 2, `the Beet should speak for a second, not for ${ticks} ticks`);
            await player.flag();
            expectCounts(player, 0, 0, 'after the second flag');
        }
    },
    ...playThrough(player => `Harvest! Steps: ${player.variable('steps')}, bumps: ${player.variable('bumps')}`)
]);
