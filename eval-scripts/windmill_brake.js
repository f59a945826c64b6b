// @ts-check
// Judge of create/windmill_brake: costumes in turn and in time, and a brake that holds.

const {expect, expectEqual} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const COSTUMES = ['one', 'two', 'three', 'four'];
/** A tenth of a second is 3 ticks; a wait may end a tick late. */
const [SHORTEST, LONGEST] = [3, 4.5];
const TURN_MS = 3000;

/** @param {Player} player */
const mill = player => player.sprite('Windmill');

/**
 * Expects a rest at the first costume.
 * @param {Player} player
 * @param {number} n ticks for which it must last
 */
const expectAtRest = (player, n) =>
    player.ticks.always('it rests at the costume one', () => costumeOf(mill(player)) === 'one', n);

/**
 * Waits until the Windmill wears a costume other than one.
 * @param {Player} player
 * @param {string} costume
 */
const turnTo = (player, costume) =>
    player.ticks.until(`the Windmill wore ${costume}`, () => costumeOf(mill(player)) === costume, TURN_MS);

module.exports = suite([
    {
        name: 'the flag puts on the costume one and the Windmill says Turning',
        run: async player => {
            await player.flag();
            expectEqual(costumeOf(mill(player)), 'one', 'its costume after the flag');
            expectEqual(player.speech.of('Windmill').join(', '), 'Turning', 'what it says');
            expectEqual(player.sounds.started.length, 0, 'the number of sounds');
            await turnTo(player, 'two');
        }
    },
    {
        name: 'it turns through all costumes in order, again and again',
        run: async player => {
            await player.flag();
            const track = player.motion.watch(mill(player));
            await player.ticks.until('nine costumes were worn', () => track.costumes.length >= 9, TURN_MS);
            for (const [i, costume] of track.costumes.entries()) {
                expectEqual(costume, COSTUMES[i % 4], `costume ${i + 1}`);
            }
            expectEqual(player.speech.of('Windmill').join(', '), 'Turning', 'what it says');
            expectEqual(player.sounds.started.length, 0, 'the number of sounds while it turns');
        }
    },
    {
        name: 'it puts on the next one every tenth of a second',
        run: async player => {
            await player.flag();
            await turnTo(player, 'two');
            const start = player.ticks.count;
            const track = player.motion.watch(mill(player));
            await player.ticks.until('ten more costumes were worn', () => track.costumes.length === 11, TURN_MS);
            const each = (player.ticks.count - start) / 10;
            const right = each >= SHORTEST && each <= LONGEST;
            expect(right, `a costume should be worn for 0.1 seconds, which are 3 ticks, but it was ${each} ticks`);
        }
    },
    {
        name: 'the space key stops it at the costume one, and it says Stopped',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            await player.tap('space');
            await expectAtRest(player, 40);
            expectEqual(player.speech.of('Windmill').join(', '), 'Turning, Stopped', 'what it says');
        }
    },
    {
        name: 'the brake creaks once',
        run: async player => {
            await player.flag();
            await turnTo(player, 'four');
            expectEqual(player.sounds.of('Windmill').length, 0, 'the number of sounds before the brake');
            await player.tap('space');
            await expectAtRest(player, 10);
            expectEqual(player.sounds.of('Windmill').join(', '), 'creak', 'the sounds after the brake');
        }
    },
    {
        name: 'a second green flag makes it turn anew, and the brake works again',
        run: async player => {
            await player.flag();
            await turnTo(player, 'two');
            await player.tap('space');
            await expectAtRest(player, 10);
            await player.flag();
            for (const costume of ['two', 'three', 'four', 'one', 'two']) await turnTo(player, costume);
            await player.tap('space');
            await expectAtRest(player, 20);
            expectEqual(player.speech.of('Windmill').join(', '), 'Turning, Stopped, Turning, Stopped', 'what it says');
            expectEqual(player.sounds.of('Windmill').join(', '), 'creak, creak', 'the sounds');
        }
    },
    {
        name: 'a green flag while it turns puts it back to the costume one',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            const track = player.motion.watch(mill(player));
            await player.flag();
            await turnTo(player, 'two');
            expectEqual(track.costumes.join(', '), 'three, one, two', 'the costumes from then on');
        }
    }
]);
