// @ts-check
// Judge of extend/hungry_beetle: eating is counted and moves the Leaf; walking works as before.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {expectSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @typedef {import('./lib/player.js').Player} Player */

const LEAF = {x: 120, y: 0};
const STEP = 10;
/** Steps from the start to beyond the Leaf. */
const FAR = 14;

/**
 * Walks until the Leaf has moved, or too far.
 * @param {Player} player
 * @param {string} key
 */
const walkToLeaf = async (player, key) => {
    const leaf = player.sprite('Leaf');
    const from = leaf.x;
    for (let i = 0; i < 2 * FAR && leaf.x === from; i += 1) await player.tap(key);
    expect(leaf.x !== from, 'the Leaf should jump when the Beetle reaches it');
    for (const sprite of [leaf, player.sprite('Beetle')]) expectSeen(sprite, 'when the Beetle reaches the Leaf');
};

module.exports = suite([
    {
        name: 'the arrow keys still move the Beetle by 10',
        run: async player => {
            await player.flag();
            const beetle = player.sprite('Beetle');
            expectAt(beetle, 0, 0, 'after the flag');
            await player.tap('ArrowRight', 2);
            expectAt(beetle, 2 * STEP, 0, 'after two steps to the right');
            await player.tap('ArrowUp');
            expectAt(beetle, 2 * STEP, STEP, 'after a step up');
            await player.tap('ArrowLeft');
            await player.tap('ArrowDown');
            expectAt(beetle, STEP, 0, 'after a step to the left and one down');
        }
    },
    {
        name: 'the green flag still puts the Leaf at its place',
        run: async player => {
            await player.flag();
            expectAt(player.sprite('Leaf'), LEAF.x, LEAF.y, 'after the flag');
        }
    },
    {
        name: 'nothing is eaten before the Beetle touches the Leaf',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('eaten'), 0, 'eaten after the flag');
            await player.tap('ArrowRight', 3);
            expectEqual(player.variable('eaten'), 0, 'eaten before the Beetle reaches the Leaf');
            expectAt(player.sprite('Leaf'), LEAF.x, LEAF.y, 'before the Beetle reaches it');
        }
    },
    {
        name: 'a touch counts once and sends the Leaf to the other side',
        run: async player => {
            await player.flag();
            await walkToLeaf(player, 'ArrowRight');
            await player.ticks.pass(10);
            expectAt(player.sprite('Leaf'), -LEAF.x, LEAF.y, 'after the first touch');
            expectEqual(player.variable('eaten'), 1, 'eaten after the first touch');
            const x = player.sprite('Beetle').x;
            expect(x >= 50 && x <= LEAF.x, `the Leaf should jump when it is touched, not when the Beetle is at x ${x}`);
        }
    },
    {
        name: 'the Leaf goes to and fro with every touch',
        run: async player => {
            await player.flag();
            for (const [i, key] of ['ArrowRight', 'ArrowLeft', 'ArrowRight'].entries()) {
                await walkToLeaf(player, key);
                await player.ticks.pass(10);
                expectEqual(player.variable('eaten'), i + 1, `eaten after touch ${i + 1}`);
                expectAt(player.sprite('Leaf'), i % 2 ? LEAF.x : -LEAF.x, LEAF.y, `after touch ${i + 1}`);
            }
        }
    },
    {
        name: 'the green flag sets eaten back to 0',
        run: async player => {
            await player.flag();
            await walkToLeaf(player, 'ArrowRight');
            expectEqual(player.variable('eaten'), 1, 'eaten after a touch');
            // Away from where the Leaf will be, since which sprite the flag moves first is nobody's choice.
            await player.tap('ArrowLeft', 6);
            await player.flag();
            await player.ticks.pass(5);
            expectEqual(player.variable('eaten'), 0, 'eaten after the second flag');
            expectAt(player.sprite('Leaf'), LEAF.x, LEAF.y, 'after the second flag');
        }
    }
]);
