// @ts-check
// Judge of create/windmill_brake: costumes in turn and in time, and a brake that holds.

const {expect, expectTexts} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {keepsCostume, putsOn} = require('./lib/sprite.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const MILL = 'Windmill';
const COSTUMES = ['one', 'two', 'three', 'four'];
/** A tenth of a second is 3 ticks; a wait may end a tick late. */
const [SHORTEST, LONGEST] = [3, 4.5];
const TURN_MS = 3000;
/** Ticks for which a braked Windmill must rest. */
const WHILE = 66;
/** Ticks of a key that is held: it repeats after half a second. */
const HELD = 40;

/** @param {Player} player @param {string} costume */
const turnTo = (player, costume) => putsOn(player, MILL, costume, TURN_MS);

/** @param {Player} player @param {number} n ticks for which it must rest */
const expectAtRest = (player, n) => keepsCostume(player, MILL, 'one', n);

/**
 * Compares all that was said and heard since the program was loaded.
 * @param {Player} player
 * @param {string[]} said
 * @param {string[]} heard
 * @param {string} when
 */
const expectNoise = (player, said, heard, when) => {
    expectTexts(player.speech.of(MILL), said, `what it says ${when}`);
    expectTexts(player.sounds.of(MILL), heard, `the sounds ${when}`);
};

/**
 * Watches ten costumes, each for its time.
 * @param {Player} player
 */
const expectSpeed = async player => {
    await turnTo(player, 'two');
    const start = player.ticks.count;
    const track = player.motion.watch(player.sprite(MILL));
    await player.ticks.until('ten more costumes were worn', () => track.costumes.length === 11, TURN_MS);
    track.stop();
    track.expectSeen('while it turns');
    const each = (player.ticks.count - start) / 10;
    const right = each >= SHORTEST && each <= LONGEST;
    expect(right, `a costume should be worn for 0.1 seconds, which are 3 ticks, but it was ${each} ticks`);
    for (const [i, costume] of track.costumes.entries()) {
        expectTexts([costume], [COSTUMES[(i + 1) % 4]], `costume ${i + 1} after the first two`);
    }
};

module.exports = suite([
    {
        name: 'the flag puts on the costume one and the Windmill says Turning',
        run: async player => {
            await player.flag();
            expectTexts([costumeOf(player.sprite(MILL))], ['one'], 'its costume after the flag');
            expectSeen(player.sprite(MILL), 'after the flag');
            expectNoise(player, ['Turning'], [], 'after the flag');
            await turnTo(player, 'two');
        }
    },
    {
        name: 'it turns through all costumes in order, again and again, and says nothing else',
        run: async player => {
            await player.flag();
            const track = player.motion.watch(player.sprite(MILL));
            await player.ticks.pass(WHILE);
            track.expectSeen('while it turns');
            expect(track.costumes.length >= 9, 'it should have gone twice through all costumes within two seconds');
            for (const [i, costume] of track.costumes.entries()) {
                expectTexts([costume], [COSTUMES[i % 4]], `costume ${i + 1}`);
            }
            expectNoise(player, ['Turning'], [], 'while it turns');
        }
    },
    {
        name: 'it puts on the next one every tenth of a second',
        run: async player => {
            await player.flag();
            await expectSpeed(player);
        }
    },
    {
        name: 'the space key stops it at the costume one, it says Stopped, and the brake creaks once',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            expectNoise(player, ['Turning'], [], 'before the brake');
            await player.tap('space');
            await expectAtRest(player, WHILE);
            expectNoise(player, ['Turning', 'Stopped'], ['creak'], 'after the brake');
        }
    },
    {
        name: 'the space key does nothing when it does not turn',
        run: async player => {
            const mill = player.sprite(MILL);
            const before = costumeOf(mill);
            await player.tap('space');
            await player.ticks.pass(15);
            expectTexts([costumeOf(mill)], [before], 'its costume before the first flag');
            expectNoise(player, [], [], 'before the first flag');
            await player.flag();
            await turnTo(player, 'two');
            await player.tap('space');
            await expectAtRest(player, WHILE);
            await player.tap('space', 2);
            await expectAtRest(player, 20);
            expectNoise(player, ['Turning', 'Stopped'], ['creak'], 'after more presses at rest');
        }
    },
    {
        name: 'a space key that is held down brakes once',
        run: async player => {
            await player.flag();
            await turnTo(player, 'four');
            await player.keys.hold('space', HELD);
            await expectAtRest(player, 30);
            expectNoise(player, ['Turning', 'Stopped'], ['creak'], 'after a long press');
        }
    },
    {
        name: 'a second green flag makes it turn once more, as fast as before, and the brake works again',
        run: async player => {
            await player.flag();
            await turnTo(player, 'two');
            await player.tap('space');
            await expectAtRest(player, 20);
            await player.flag();
            await expectSpeed(player);
            await player.tap('space');
            await expectAtRest(player, WHILE);
            const said = ['Turning', 'Stopped', 'Turning', 'Stopped'];
            expectNoise(player, said, ['creak', 'creak'], 'after the second brake');
        }
    },
    {
        name: 'a green flag while it turns puts it back to the costume one, and it turns as fast as before',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            const track = player.motion.watch(player.sprite(MILL));
            await player.flag();
            await turnTo(player, 'two');
            track.stop();
            expectTexts(track.costumes.map(String), ['three', 'one', 'two'], 'the costumes from then on');
            await turnTo(player, 'one');
            await expectSpeed(player);
        }
    }
]);
