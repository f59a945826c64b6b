// @ts-check
// Judge of debug/lazy_hare: each green flag starts with a Hare that sits, and hits still make it tumble.

const {START, hopOver, tumble, playThrough} = require('./lib/base_hare_run.js');
const {expectAt, expectEqual} = require('./lib/expect.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'the Hare gets up with the green flag, run after run',
        run: async player => {
            const hare = player.sprite('Hare');
            for (let run = 1; run <= 3; run += 1) {
                await player.flag();
                expectEqual(costumeOf(hare), 'ready', `costume after flag ${run}`);
                expectAt(hare, START.x, START.y, `after flag ${run}`);
                await tumble(player);
                expectSeen(hare, `after tumble ${run}`);
            }
        }
    },
    {
        name: 'it stays up while it runs and hops',
        run: async player => {
            const hare = player.sprite('Hare');
            await player.flag();
            await tumble(player);
            await player.flag();
            const track = player.motion.watch(hare);
            await hopOver(player);
            track.expectSeen('in the second run');
            expectEqual(track.costumes.join(), 'ready', 'costumes of the second run');
            expectEqual(player.variable('passed'), 1, 'passed in the second run');
        }
    },
    ...playThrough()
]);
