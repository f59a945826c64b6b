// @ts-check
// Judge of debug/dim_firefly: a catch dims the Firefly for as long as the button is down, and no longer.

const {expectEqual} = require('./lib/expect.js');
const {AWAY, catchAndHold, shine, playThrough} = require('./lib/base_firefly_meadow.js');
const {effectOf} = require('./lib/looks.js');
const {expectSeen, isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const DIM = 60;

/** @param {Player} player @param {number} ghost @param {string} when */
const expectGhost = (player, ghost, when) => {
    expectSeen(player.sprite('Firefly'), when);
    expectEqual(effectOf(player.sprite('Firefly'), 'ghost'), ghost, `the Firefly's ghost effect ${when}`);
};

/** @param {Player} player @returns {boolean} whether the Firefly is seen without a ghost effect */
const isBright = player => effectOf(player.sprite('Firefly'), 'ghost') === 0 && isSeen(player.sprite('Firefly'));

/**
 * Releases the mouse button after a catch.
 * @param {Player} player
 */
const releaseAndWait = async player => {
    player.mouse.release();
    await player.ticks.until('the Firefly was bright after the button was released', () => isBright(player), 1000);
};

module.exports = suite([
    {
        name: 'the Firefly is bright again when the button is released after a catch',
        run: async player => {
            await player.flag();
            expectGhost(player, 0, 'after the flag');
            await catchAndHold(player);
            expectGhost(player, DIM, 'after a catch');
            await releaseAndWait(player);
            await player.ticks.always('the Firefly stays bright', () => isBright(player), 15);
        }
    },
    {
        name: 'it stays dim for as long as the button is down',
        run: async player => {
            await player.flag();
            await catchAndHold(player);
            await player.ticks.pass(50);
            expectGhost(player, DIM, 'while the button is still down');
            await releaseAndWait(player);
        }
    },
    {
        name: 'each catch dims it anew',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 4; i += 1) {
                await catchAndHold(player);
                expectGhost(player, DIM, `after catch ${i}`);
                await releaseAndWait(player);
                expectEqual(player.variable('caught'), i, 'caught');
            }
        }
    },
    {
        name: 'light elsewhere does not dim it, nor does it after a catch',
        run: async player => {
            await player.flag();
            await shine(player, AWAY, 10);
            expectGhost(player, 0, 'after light far from it');
            await catchAndHold(player);
            await releaseAndWait(player);
            const {x, y} = player.sprite('Firefly');
            await shine(player, {x: x > 0 ? -200 : 200, y: y > 0 ? -120 : 120}, 10);
            expectGhost(player, 0, 'after light far from it');
            await player.flag();
            expectGhost(player, 0, 'after a new flag');
        }
    },
    ...playThrough
]);
