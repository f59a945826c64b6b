// @ts-check
// Judge of extend/lantern_oil: Sparks use oil, Fireflies give oil, and without oil there is no light.

const {expect, expectEqual} = require('./lib/expect.js');
const {AWAY, carryTo, catchFirefly, shine, playThrough} = require('./lib/base_firefly_meadow.js');
const {costumeOf} = require('./lib/looks.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const FULL = 20;
const GIFT = 10;

/**
 * @param {Player} player
 * @returns {string} the costume in which a player sees the Lantern
 */
const lanternShows = player => {
    const lantern = player.sprite('Lantern');
    expectSeen(lantern, 'which should be lit or dark');
    return costumeOf(lantern);
};

/**
 * Burns all oil, far from the Firefly; the mouse button stays down.
 * @param {Player} player
 */
const burnAll = async player => {
    await carryTo(player, AWAY);
    player.mouse.press();
    await player.ticks.pass(3);
    const isOut = () => {
        const isEmpty = Number(player.variable('oil')) <= 0;
        expect(isEmpty || lanternShows(player) === 'lit', 'the Lantern should be lit for as long as there is oil');
        return isEmpty;
    };
    await player.ticks.until('the oil was used up', isOut, 5000);
    await player.ticks.pass(3);
};

module.exports = suite([
    {
        name: 'the green flag sets oil to 20 and each Spark uses 1',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('oil'), FULL, 'oil after the flag');
            await player.ticks.pass(20);
            expectEqual(player.variable('oil'), FULL, 'oil while the button is up');
            for (const n of [12, 25]) {
                await shine(player, AWAY, n);
                const made = player.clones.made('Spark');
                expect(made > 1, `there should be Sparks while the button is down, but there were ${made}`);
                expectEqual(player.variable('oil'), FULL - made, `oil after ${made} Sparks`);
            }
        }
    },
    {
        name: 'without oil the Lantern is dark and there are no more Sparks',
        run: async player => {
            await player.flag();
            await burnAll(player);
            expectEqual(player.clones.made('Spark'), FULL, 'the number of Sparks from 20 of oil');
            const out = () => player.clones.made('Spark') === FULL && lanternShows(player) === 'dark';
            await player.ticks.always('the Lantern is dark and makes no Sparks', out, 30);
            expectEqual(player.variable('oil'), 0, 'oil at the end');
        }
    },
    {
        name: 'a Firefly gives 10 more',
        run: async player => {
            await player.flag();
            for (const caught of [1, 2]) {
                await catchFirefly(player);
                expectEqual(player.variable('oil'), FULL + caught * GIFT - player.clones.made('Spark'), `oil after ${caught} catches`);
            }
        }
    },
    {
        name: 'a Firefly caught without light brings the light back',
        run: async player => {
            await player.flag();
            await burnAll(player);
            player.mouse.release();
            await catchFirefly(player);
            expectEqual(player.variable('oil'), FULL + GIFT - player.clones.made('Spark'), 'oil after the catch');
            const before = player.clones.made('Spark');
            await carryTo(player, AWAY);
            player.mouse.press();
            await player.ticks.pass(15);
            expectEqual(lanternShows(player), 'lit', "the Lantern's costume with new oil");
            expect(player.clones.made('Spark') > before, 'there should be Sparks again with new oil');
            expect(player.clones.seen('Spark').length > 0, 'the new Sparks should be seen');
        }
    },
    {
        name: 'a new green flag sets oil back to 20',
        run: async player => {
            await player.flag();
            await shine(player, AWAY, 20);
            expect(Number(player.variable('oil')) < FULL, 'oil should be used while the button is down');
            await player.flag();
            expectEqual(player.variable('oil'), FULL, 'oil after the second flag');
        }
    },
    ...playThrough
]);
