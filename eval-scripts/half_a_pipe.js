// @ts-check
// Judge of debug/half_a_pipe: the water flows with both pipes and the open Valve, and with nothing less.

const {completePump, expectWater, lay, playThrough, takeAway} = require('./lib/base_flower_pump.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

/** @type {import('./lib/base_flower_pump.js').Pipe[]} */
const BOTH = ['Copper Pipe', 'Steel Pipe'];

module.exports = suite([
    ...BOTH.map(pipe => ({
        name: `the ${pipe} alone is not enough, with the Valve shut or open`,
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await expectWater(player, false, 'after the flag');
            await lay(player, pipe);
            await expectWater(player, false, `with the ${pipe} and the Valve shut`);
            await player.click('Valve');
            await expectWater(player, false, `with the ${pipe} and the Valve open`);
            // The other one completes it: an inert project gets no further.
            await lay(player, pipe === BOTH[0] ? BOTH[1] : BOTH[0]);
            await expectWater(player, true, 'with both pipes and the Valve open');
        }
    })),
    {
        name: 'both pipes need the Valve open',
        run: async player => {
            await player.flag();
            for (const pipe of BOTH) await lay(player, pipe);
            await expectWater(player, false, 'with both pipes and the Valve shut');
            await player.click('Valve');
            await expectWater(player, true, 'with both pipes and the Valve open');
            await player.click('Valve');
            await expectWater(player, false, 'with the Valve shut again');
        }
    },
    {
        name: 'the water stops when a pipe is taken away and flows when it is back',
        run: async player => {
            await player.flag();
            await completePump(player);
            for (const pipe of BOTH) {
                await expectWater(player, true, 'with both pipes and the Valve open');
                await takeAway(player, pipe);
                await expectWater(player, false, `without the ${pipe}`);
                await lay(player, pipe);
            }
            await expectWater(player, true, 'with both pipes again');
        }
    },
    ...playThrough
]);
