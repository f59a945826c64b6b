// @ts-check
// Judge of create/windmill_brake: costumes in turn and in time, and a brake that holds.

const {expect, expectEqual} = require('./lib/expect.js');
const {expectSprite, keepsCostume, putsOn} = require('./lib/sprite.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const MILL = 'Windmill';
const COSTUMES = ['one', 'two', 'three', 'four'];
/** A tenth of a second is 3 ticks; a wait may end a tick late. */
const [SHORTEST, LONGEST] = [3, 4.5];
const TURN_MS = 3000;

/** @param {Player} player @param {string} costume */
const turnTo = (player, costume) => putsOn(player, MILL, costume, TURN_MS);

/** @param {Player} player @param {number} n ticks for which it must rest */
const expectAtRest = (player, n) => keepsCostume(player, MILL, 'one', n);

module.exports = suite([
    {
        name: 'the flag puts on the costume one and the Windmill says Turning',
        run: async player => {
            await player.flag();
            expectSprite(player, MILL, {costume: 'one', said: ['Turning'], heard: []}, 'after the flag');
            await turnTo(player, 'two');
        }
    },
    {
        name: 'it turns through all costumes in order, again and again',
        run: async player => {
            await player.flag();
            const track = player.motion.watch(player.sprite(MILL));
            await player.ticks.until('nine costumes were worn', () => track.costumes.length >= 9, TURN_MS);
            for (const [i, costume] of track.costumes.entries()) {
                expectEqual(costume, COSTUMES[i % 4], `costume ${i + 1}`);
            }
            expectSprite(player, MILL, {said: ['Turning'], heard: []}, 'while it turns');
        }
    },
    {
        name: 'it puts on the next one every tenth of a second',
        run: async player => {
            await player.flag();
            await turnTo(player, 'two');
            const start = player.ticks.count;
            const track = player.motion.watch(player.sprite(MILL));
            await player.ticks.until('ten more costumes were worn', () => track.costumes.length === 11, TURN_MS);
            const each = (player.ticks.count - start) / 10;
            const right = each >= SHORTEST && each <= LONGEST;
            expect(right, `a costume should be worn for 0.1 seconds, which are 3 ticks, but it was ${each} ticks`);
        }
    },
    {
        name: 'the space key stops it at the costume one, it says Stopped, and the brake creaks once',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            expectSprite(player, MILL, {heard: []}, 'before the brake');
            await player.tap('space');
            await expectAtRest(player, 40);
            expectSprite(player, MILL, {said: ['Turning', 'Stopped'], heard: ['creak']}, 'after the brake');
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
            const said = ['Turning', 'Stopped', 'Turning', 'Stopped'];
            expectSprite(player, MILL, {said, heard: ['creak', 'creak']}, 'after the second brake');
        }
    },
    {
        name: 'a green flag while it turns puts it back to the costume one',
        run: async player => {
            await player.flag();
            await turnTo(player, 'three');
            const track = player.motion.watch(player.sprite(MILL));
            await player.flag();
            await turnTo(player, 'two');
            expectEqual(track.costumes.join(', '), 'three, one, two', 'the costumes from then on');
        }
    }
]);
