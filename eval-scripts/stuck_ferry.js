// @ts-check
// Judge of debug/stuck_ferry: the third ticket makes the Ferry sail, and what worked before still works.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const QUAY = {x: -150, y: -60};
const ISLAND = {x: 150, y: -60};
/** The crossing takes a second; this leaves room for a slow one. */
const CROSSING_MS = 3000;

/**
 * @param {Player} player
 * @param {number} tickets
 */
const sell = async (player, tickets) => {
    for (let i = 0; i < tickets; i += 1) await player.click('Ticket');
};

/** @param {Player} player */
const arrive = player => {
    const ferry = player.sprite('Ferry');
    const isThere = () => {
        expectSeen(ferry, 'on its way to the island');
        return ferry.x === ISLAND.x;
    };
    return player.ticks.until('the Ferry reached the island', isThere, CROSSING_MS);
};

module.exports = suite([
    {
        name: 'the green flag puts the Ferry at the quay and sold at 0',
        run: async player => {
            await player.flag();
            expectAt(player.sprite('Ferry'), QUAY.x, QUAY.y);
            expectEqual(player.variable('sold'), 0, 'sold');
        }
    },
    {
        name: 'two tickets are counted and the Ferry waits',
        run: async player => {
            await player.flag();
            await sell(player, 2);
            expectEqual(player.variable('sold'), 2, 'sold after two clicks');
            await player.ticks.pass(45);
            expectAt(player.sprite('Ferry'), QUAY.x, QUAY.y, 'with two tickets sold');
        }
    },
    {
        name: 'the third ticket makes the Ferry sail to the island',
        run: async player => {
            await player.flag();
            await sell(player, 3);
            expectEqual(player.variable('sold'), 3, 'sold after three clicks');
            await arrive(player);
            expectAt(player.sprite('Ferry'), ISLAND.x, ISLAND.y, 'after the crossing');
            await player.ticks.rest();
            expectEqual(player.sounds.of('Ferry').join(' '), 'horn', 'what is heard when the Ferry sails');
        }
    },
    {
        name: 'the Ferry glides over, it does not jump',
        run: async player => {
            await player.flag();
            const ferry = player.sprite('Ferry');
            await sell(player, 3);
            const between = () => ferry.x > QUAY.x + 30 && ferry.x < ISLAND.x - 30;
            await player.ticks.until('the Ferry was seen on its way', between, CROSSING_MS);
            await arrive(player);
        }
    },
    {
        name: 'a full Ferry sells no fourth ticket',
        run: async player => {
            await player.flag();
            await sell(player, 3);
            await arrive(player);
            await sell(player, 1);
            expectEqual(player.variable('sold'), 3, 'sold after four clicks');
            await player.ticks.pass(15);
            expectAt(player.sprite('Ferry'), ISLAND.x, ISLAND.y, 'after the fourth click');
        }
    },
    {
        name: 'after a new green flag the Ferry sails again with three tickets',
        run: async player => {
            await player.flag();
            await sell(player, 3);
            await arrive(player);
            await player.flag();
            expectAt(player.sprite('Ferry'), QUAY.x, QUAY.y, 'after the second flag');
            await sell(player, 3);
            expect(player.sprite('Ferry').x > QUAY.x, 'the Ferry should have left the quay again');
            await arrive(player);
        }
    }
]);
