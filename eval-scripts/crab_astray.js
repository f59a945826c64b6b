// @ts-check
// Judge of debug/crab_astray: the Crab keeps below the mouse pointer, and the Sub works as before.

const {playThrough} = require('./lib/base_pearl_sub.js');
const {expect, expectAt} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

const GROUND = -150;

module.exports = suite([
    {
        name: 'a pointer that goes up and down does not move the Crab',
        run: async player => {
            const crab = player.sprite('Crab');
            player.mouse.moveTo(80, -100);
            await player.flag();
            expectAt(crab, 80, GROUND, 'after the flag');
            const track = player.motion.watch(crab);
            for (const y of [-40, 10, 90, 160]) {
                player.mouse.moveTo(80, y);
                await player.ticks.pass(3);
            }
            expect(!track.moved, 'the Crab should stay where it is while the pointer goes straight up');
        }
    },
    {
        name: 'the Crab follows after a second flag too',
        run: async player => {
            await player.flag();
            player.mouse.moveTo(-90, 20);
            await player.flag();
            expectAt(player.sprite('Crab'), -90, GROUND, 'after the second flag');
            player.mouse.moveTo(140, 20);
            await player.ticks.pass(3);
            expectAt(player.sprite('Crab'), 140, GROUND, 'after the pointer moved on');
        }
    },
    ...playThrough
]);
