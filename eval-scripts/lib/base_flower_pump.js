// @ts-check
// What the judges over the base flower_pump share: laying pipes, turning the Valve, and cases on what works there.

const {expectAt, expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {'Copper Pipe' | 'Steel Pipe'} Pipe
 */

/** Where each pipe lies after the flag, and where it belongs. */
const PIPES = {
    'Copper Pipe': {store: {x: -140, y: -140}, gap: {x: -80, y: -18}},
    'Steel Pipe': {store: {x: -10, y: -140}, gap: {x: 40, y: -18}}
};
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
    expectEqual(costumeOf(player.sprite('Flower')), flows ? 'bloom' : 'bud', `the Flower's costume ${when}`);
};

/** The pump from its parts to the Flower, and the flag. */
const pumpCase = {
    name: 'pipes near their gaps still snap in, the Valve turns, the Flower blooms, and the flag starts afresh',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        for (const {name, store} of [{name: 'Copper Pipe', store: PIPES['Copper Pipe'].store}, {name: 'Steel Pipe', store: PIPES['Steel Pipe'].store}]) {
            expectAt(player.sprite(name), store.x, store.y, 'after the flag');
        }
        await player.drag('Copper Pipe', {x: -80, y: 30}, {steps: 2, as: 'player'});
        expectAt(player.sprite('Copper Pipe'), -80, 30, 'when it is dropped too far from its gap');
        await completePump(player);
        expectEqual(costumeOf(player.sprite('Valve')), 'open', "the Valve's costume after a click");
        await expectWater(player, true, 'with both pipes and the Valve open');
        expectEqual(player.sounds.of('Flower').join(), 'harp', 'the sounds of the Flower');
        await player.flag();
        expectAt(player.sprite('Copper Pipe'), -140, -140, 'after a new flag');
        expectEqual(costumeOf(player.sprite('Valve')), 'shut', "the Valve's costume after a new flag");
        await expectWater(player, false, 'after a new flag');
    }
};

module.exports = {PIPES, NOTICED, lay, takeAway, completePump, expectWater, pumpCase};
