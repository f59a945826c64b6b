// @ts-check
// Judge of debug/heedless_hare: a Thistle that hits the Hare makes it tumble, in each run.

const {expectWords} = require('./lib/base_common.js');
const {START, THISTLE, SPEED, hopOver, tumble, playThrough} = require('./lib/base_hare_run.js');
const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'a Hare that is hit in the air falls to the ground',
        run: async player => {
            const [hare, thistle] = ['Hare', 'Thistle'].map(name => player.sprite(name));
            await player.flag();
            // Too early: it comes down on the Thistle.
            await player.ticks.until('the Thistle came', () => thistle.x <= 150, 2000);
            await player.tap('space');
            for (const sprite of [hare, thistle]) expectSeen(sprite, 'with the Hare in the air');
            expect(hare.y > START.y, 'the Hare should be in the air');
            await tumble(player);
            expectEqual(player.variable('passed'), 0, 'passed when the Hare is hit in the air');
            await player.ticks.pass(10);
            expectAt(hare, START.x, START.y, 'after it was hit in the air');
            expectWords(player, 'Hare', ['Ouch!'], 'after the run');
        }
    },
    {
        name: 'each run ends with a tumble',
        run: async player => {
            for (const run of [1, 2]) {
                await player.flag();
                expectSeen(player.sprite('Thistle'), `at the start of run ${run}`);
                expect(player.sprite('Thistle').x > THISTLE.x - 6 * SPEED, 'the Thistle should come from the right again');
                await tumble(player);
                expectEqual(player.speech.of('Hare').length, run, `texts after run ${run}`);
            }
        }
    },
    {
        name: 'a Hare that hops in time does not tumble',
        run: async player => {
            await player.flag();
            await hopOver(player);
            expectEqual(player.speech.of('Hare').length, 0, 'texts while nothing hits the Hare');
            await tumble(player);
            expectEqual(player.variable('passed'), 1, 'passed in the end');
        }
    },
    ...playThrough()
]);
