// @ts-check
// Judge of debug/still_hills: the Hills scroll without end while the Hare runs, and stop with it.

const {SCROLL, hopOver, tumble, expectRest, playThrough} = require('./lib/base_hare_run.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

const HILLS = {x: 240, y: -70};
/** Below this the Hills jump back. */
const END = -238;

module.exports = suite([
    {
        name: 'the Hills come round and scroll on',
        run: async player => {
            const hills = player.sprite('Hills');
            await player.flag();
            const track = player.motion.watch(hills);
            for (let i = 0; i < 3; i += 1) await hopOver(player);
            track.expectSeen('while the Hare runs');
            const steps = track.samples.slice(1).map((sample, i) => sample.x - track.samples[i].x);
            const jumps = steps.filter(step => step > 0);
            expectEqual(jumps.length, 1, 'times the Hills jumped back');
            expect(Math.abs(jumps[0] - (HILLS.x - END)) <= 2 * SCROLL, 'the Hills should jump back from x -238 to x 240');
            expect(track.leaves({left: END - SCROLL, right: HILLS.x}) === null, 'the Hills should stay between x -242 and 240');
            expect(track.leaves({top: HILLS.y, bottom: HILLS.y}) === null, 'the Hills should stay at y -70');
            expect(steps.filter(step => step === -SCROLL).length >= steps.length - 4, 'the Hills should move left by 4 all the time');
        }
    },
    {
        name: 'the Hills stop when the Hare tumbles, and start anew with the flag',
        run: async player => {
            await player.flag();
            await tumble(player);
            await expectRest(player, 'after the run');
            await player.flag();
            const hills = player.sprite('Hills');
            expect(hills.x <= HILLS.x && hills.x >= HILLS.x - 5 * SCROLL, 'the Hills should begin at x 240 with each flag');
            const {x} = hills;
            await player.ticks.pass(10);
            expectAt(hills, x - 10 * SCROLL, HILLS.y, 'ten ticks later');
        }
    },
    ...playThrough()
]);
