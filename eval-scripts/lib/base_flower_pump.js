// @ts-check
// What the judges over the base flower_pump share: laying pipes, turning the Valve, and cases on what works there.

const {expectHeard} = require('./base_common.js');
const {expectAt, expectEqual} = require('./expect.js');
const {expectCostume} = require('./looks.js');
const {expectSeen} = require('./seen.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {'Copper Pipe' | 'Steel Pipe'} Pipe
 */

/** Where each pipe lies after the flag, and where it belongs. */
const PIPES = {
    'Copper Pipe': {store: {x: -140, y: -140}, gap: {x: -80, y: -18}},
    'Steel Pipe': {store: {x: -10, y: -140}, gap: {x: 40, y: -18}}
};
/** What stands there whatever happens. */
const SCENERY = ['Tank', 'Left Gap', 'Right Gap', 'Cloud', 'Bucket'];
/** Ticks after which the program has noticed a change and the Flower shows it. */
const NOTICED = 4;

/**
 * Drags a pipe to its gap, not quite exactly.
 * @param {Player} player
 * @param {Pipe} pipe
 */
const lay = async (player, pipe) => {
    const {gap} = PIPES[pipe];
    await player.drag(pipe, {x: gap.x + 12, y: gap.y - 9}, {steps: 2});
    expectAt(player.sprite(pipe), gap.x, gap.y, 'after it was dropped near its gap');
};

/**
 * Drags a pipe out of its gap.
 * @param {Player} player
 * @param {Pipe} pipe
 */
const takeAway = async (player, pipe) => {
    const {store} = PIPES[pipe];
    await player.drag(pipe, store, {steps: 2});
    expectAt(player.sprite(pipe), store.x, store.y, 'after it was taken away');
};

/**
 * Lays both pipes and opens the Valve.
 * @param {Player} player
 */
const completePump = async player => {
    await lay(player, 'Copper Pipe');
    await lay(player, 'Steel Pipe');
    await player.click('Valve');
};

/**
 * @param {Player} player
 * @param {boolean} flows whether the water should flow and the Flower bloom
 * @param {string} when
 */
const expectWater = async (player, flows, when) => {
    await player.ticks.pass(NOTICED);
    expectEqual(player.variable('flowing'), flows ? 1 : 0, `flowing ${when}`);
    expectCostume(player.sprite('Flower'), flows ? 'bloom' : 'bud', when);
};

/** @type {Pipe[]} */
const BOTH = ['Copper Pipe', 'Steel Pipe'];

/**
 * @param {Player} player
 * @param {boolean} open
 * @param {string} when
 */
const expectValve = (player, open, when) => {
    expectEqual(player.variable('open'), open ? 1 : 0, `open ${when}`);
    expectCostume(player.sprite('Valve'), open ? 'open' : 'shut', when);
};

/** All that the base does. An extended one may hold water for three seconds only, so no case needs more. */
const playThrough = [
    {
        name: 'pipes near their gaps still snap in, others lie where they are dropped, and the flag takes them out',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            for (const pipe of BOTH) {
                const {store, gap} = PIPES[pipe];
                expectAt(player.sprite(pipe), store.x, store.y, 'after the flag');
                await player.drag(pipe, {x: gap.x - 5, y: gap.y + 33}, {steps: 2, as: 'player'});
                expectAt(player.sprite(pipe), gap.x - 5, gap.y + 33, 'when it is dropped too far from its gap');
                await player.drag(pipe, {x: gap.x + 20, y: gap.y + 18}, {steps: 2, as: 'player'});
                expectAt(player.sprite(pipe), gap.x, gap.y, 'when it is dropped near its gap');
            }
            await expectWater(player, false, 'with both pipes and the Valve shut');
            await player.flag();
            for (const pipe of BOTH) expectAt(player.sprite(pipe), PIPES[pipe].store.x, PIPES[pipe].store.y, 'after a new flag');
            await player.click('Valve');
            await expectWater(player, false, 'without pipes and with the Valve open');
        }
    },
    {
        name: 'the Valve still turns with each click and squeaks',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectValve(player, false, 'after the flag');
            for (let clicks = 1; clicks <= 3; clicks += 1) {
                await player.click('Valve');
                expectValve(player, clicks % 2 === 1, `after ${clicks} clicks`);
                expectHeard(player, 'Valve', Array(clicks).fill('squeak'), `after ${clicks} clicks`);
            }
            await player.flag();
            expectValve(player, false, 'after a new flag');
        }
    },
    {
        name: 'both pipes and the open Valve still let the Flower bloom with a harp, and nothing less does',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await expectWater(player, false, 'after the flag');
            await completePump(player);
            await expectWater(player, true, 'with both pipes and the Valve open');
            // The pipes lie in the gaps.
            for (const name of SCENERY) expectSeen(player.sprite(name), 'with both pipes and the Valve open', {mayBeCovered: true});
            expectHeard(player, 'Flower', ['harp'], 'after the first bloom');
            for (const [i, pipe] of BOTH.entries()) {
                await takeAway(player, pipe);
                await expectWater(player, false, `without the ${pipe}`);
                if (i === 0) {
                    await lay(player, pipe);
                    await expectWater(player, true, `with the ${pipe} again`);
                }
            }
            expectHeard(player, 'Flower', ['harp', 'harp'], 'after two blooms');
        }
    },
    {
        name: 'the green flag still stops the water',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            await completePump(player);
            await expectWater(player, true, 'with both pipes and the Valve open');
            await player.flag();
            await expectWater(player, false, 'after a new flag');
            expectValve(player, false, 'after a new flag');
            await player.ticks.pass(20);
            expectHeard(player, 'Flower', ['harp'], 'after one bloom and a new flag');
            await completePump(player);
            await expectWater(player, true, 'after a new flag, with both pipes and the Valve open');
        }
    }
];

module.exports = {PIPES, NOTICED, lay, takeAway, completePump, expectWater, expectValve, playThrough};
