// @ts-check
// Steps and cases for the tasks on the base project mole_maze: a Mole in tunnels with a Key, a Gate, a Worm and a Beet.

const {expectHeard, expectGone, expectWords, WHILE} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');
const {backdropOf} = require('./looks.js');
const {expectSeen, isSeen} = require('./seen.js');

/** @typedef {import('./player.js').Player} Player */

const START = {x: -150, y: -90};
/** Where the tunnels of the first level cross and turn. */
const FORK = {x: -30, y: -90};
const KEY = {x: -150, y: 90};
const GATE_X = 60;
const WORM_X = 30;
const BEET = {x: 150, y: 90};
/** Pixels a tick. */
const STEP = 10;
/** The longest way in a straight tunnel takes a second. */
const WALK_MS = 2000;

/**
 * @typedef {'left arrow' | 'right arrow' | 'up arrow' | 'down arrow'} Arrow
 */

/**
 * Holds an arrow key until something has happened.
 * @param {Player} player
 * @param {Arrow} key
 * @param {string} what completes "it never happened that"
 * @param {() => boolean} condition
 */
const walk = async (player, key, what, condition) => {
    player.keys.press(key);
    await player.ticks.until(what, condition, WALK_MS);
    player.keys.release(key);
    await player.ticks.pass(1);
};

/**
 * Walks to a place on the present row or column.
 * @param {Player} player
 * @param {Arrow} key
 * @param {number} to x or y, where the key leads along
 */
const walkTo = async (player, key, to) => {
    const mole = player.sprite('Mole');
    const axis = key === 'left arrow' || key === 'right arrow' ? 'x' : 'y';
    await walk(player, key, `the Mole came to ${axis} ${to}`, () => mole[axis] === to);
    expectEqual(mole[axis], to, `${axis} of the Mole after the key was let go`);
    expectSeen(mole, 'in the tunnels');
};

/** @param {Player} player */
const fetchKey = async player => {
    const key = player.sprite('Key');
    await walkTo(player, 'right arrow', FORK.x);
    await walkTo(player, 'up arrow', KEY.y);
    await walk(player, 'left arrow', 'the Mole got the Key', () => !key.visible);
    await player.ticks.until('the Gate opened', () => !player.sprite('Gate').visible, 200);
};

/**
 * From the Key to the Beet of the first level; the second one begins.
 * @param {Player} player
 */
const fetchBeet = async player => {
    const mole = player.sprite('Mole');
    await walk(player, 'right arrow', 'the second level began', () => Number(player.variable('level')) === 2);
    await player.ticks.until('the Mole was back at the start', () => mole.x === START.x && mole.y === START.y, 200);
    expectEqual(backdropOf(player), 'tunnels 2', 'the backdrop of the second level');
    expectAt(player.sprite('Beet'), BEET.x, BEET.y, 'on the second level');
};

/**
 * From the start past the Worm while it is below ground, up to a place beyond it.
 * @param {Player} player
 */
const passWorm = async player => {
    const worm = player.sprite('Worm');
    await walkTo(player, 'right arrow', FORK.x);
    await player.ticks.until('the Worm showed', () => isSeen(worm), 1000);
    await player.ticks.until('the Worm hid', () => !worm.visible, 1000);
    await walkTo(player, 'right arrow', 150);
};

/**
 * The whole game, from the flag to the last Beet.
 * @param {Player} player
 */
const win = async player => {
    await player.flag();
    await fetchKey(player);
    await fetchBeet(player);
    await passWorm(player);
    const before = player.speech.of('Beet').length;
    await walk(player, 'up arrow', 'the Beet spoke', () => player.speech.of('Beet').length > before);
};

/**
 * Walks from the left into the Worm, or to where it will come up, and waits for its bite.
 * @param {Player} player
 */
const meetWorm = async player => {
    const mole = player.sprite('Mole');
    const before = Number(player.variable('bites'));
    const squeaks = player.sounds.of('Mole').length;
    const bitten = () => Number(player.variable('bites')) > before;
    await walk(player, 'right arrow', 'the Mole reached the Worm', () => mole.x >= WORM_X || bitten());
    await player.ticks.until('the Worm bit the Mole', bitten, 1000);
    await player.ticks.pass(3);
    expectEqual(player.variable('bites'), before + 1, 'bites after one more bite');
    expectEqual(player.sounds.of('Mole').length, squeaks + 1, 'squeaks after one more bite');
    expectAt(mole, START.x, START.y, 'after a bite');
};

/**
 * From the start into the Worm.
 * @param {Player} player
 */
const getBitten = async player => {
    await walkTo(player, 'right arrow', FORK.x);
    await meetWorm(player);
};

/**
 * @param {(player: Player) => string} lastWords what the Beet says in the end
 */
const winningCase = lastWords => ({
    name: 'the second Beet ends the game',
    run: async (/** @type {Player} */ player) => {
        const mole = player.sprite('Mole');
        await win(player);
        // A tick or two in which the Mole hears of it.
        await player.ticks.pass(2);
        expectEqual(player.variable('level'), 2, 'level in the end');
        expectEqual(backdropOf(player), 'tunnels 2', 'backdrop in the end');
        const {x, y} = mole;
        await player.keys.hold('down arrow', 5);
        expectAt(mole, x, y, 'when the game is over');
        await expectGone(player, 'Beet', 1);
        await player.ticks.pass(WHILE - 35);
        expectWords(player, 'Beet', [lastWords(player)], 'in a whole game');
        expectHeard(player, 'Beet', ['crisp', 'crisp'], 'in a whole game');
    }
});

/** Cases on what the base project does; they fail on sprites without code. */
const keeps = {
    walls: {
        name: 'the arrow keys walk the Mole, and walls stop it',
        run: async (/** @type {Player} */ player) => {
            const mole = player.sprite('Mole');
            await player.flag();
            expectAt(mole, START.x, START.y, 'after the flag');
            await walkTo(player, 'right arrow', START.x + 4 * STEP);
            for (const key of ['up arrow', 'down arrow']) {
                await player.keys.hold(key, 5);
                expectAt(mole, START.x + 4 * STEP, START.y, `between walls, after the ${key} key`);
            }
            await walkTo(player, 'left arrow', START.x);
            await player.keys.hold('left arrow', 5);
            expectAt(mole, START.x, START.y, 'at the left end of the tunnel');
        }
    },
    gate: {
        name: 'the Gate stops the Mole until it has the Key',
        run: async (/** @type {Player} */ player) => {
            const [mole, gate, key] = ['Mole', 'Gate', 'Key'].map(name => player.sprite(name));
            await player.flag();
            expectAt(gate, GATE_X, KEY.y, 'after the flag');
            expectAt(key, KEY.x, KEY.y, 'after the flag');
            expectAt(player.sprite('Beet'), BEET.x, BEET.y, 'after the flag');
            expectEqual(backdropOf(player), 'tunnels 1', 'the backdrop after the flag');
            await walkTo(player, 'right arrow', FORK.x);
            await walkTo(player, 'up arrow', KEY.y);
            await player.keys.hold('right arrow', 20);
            expect(mole.x > 0 && mole.x < GATE_X, `the closed Gate should stop the Mole, but it is at x ${mole.x}`);
            expectEqual(player.variable('level'), 1, 'level before the Gate is open');
            await walk(player, 'left arrow', 'the Mole got the Key', () => !key.visible);
            await player.ticks.until('the Gate opened', () => !gate.visible, 200);
            await fetchBeet(player);
            expectHeard(player, 'Beet', ['crisp'], 'on the way to the second level');
            await player.flag();
            expectEqual(player.variable('level'), 1, 'level after a new flag');
            expectEqual(backdropOf(player), 'tunnels 1', 'the backdrop after a new flag');
            for (const sprite of [gate, key]) expectSeen(sprite, 'after a new flag');
            expectAt(mole, START.x, START.y, 'after a new flag');
        }
    },
    worm: {
        name: 'the Worm comes and goes, and its bite sends the Mole back',
        run: async (/** @type {Player} */ player) => {
            await player.flag();
            expectEqual(player.variable('bites'), 0, 'bites after the flag');
            const worm = player.sprite('Worm');
            expectAt(worm, WORM_X, FORK.y, 'after the flag');
            const track = await player.motion.during(worm, 62);
            const seen = track.samples.map(({unseen}) => unseen === null);
            const shown = seen.filter(Boolean).length;
            const turns = seen.slice(1).filter((one, i) => one !== seen[i]).length;
            expect(Math.abs(shown - 31) <= 6 && turns >= 3 && turns <= 5, 'the Worm should come and go, half a second each');
            await getBitten(player);
            await getBitten(player);
            expectHeard(player, 'Mole', ['squeak', 'squeak'], 'after two bites');
            await player.flag();
            expectEqual(player.variable('bites'), 0, 'bites after a new flag');
        }
    },
    winning: winningCase(() => 'Harvest!')
};

/**
 * All that the base does.
 * @param {(player: Player) => string} [lastWords] what the Beet says in the end
 */
const playThrough = lastWords => [keeps.walls, keeps.gate, keeps.worm, lastWords ? winningCase(lastWords) : keeps.winning];

module.exports = {START, FORK, KEY, GATE_X, WORM_X, STEP, walk, walkTo, fetchKey, fetchBeet, passWorm, win, meetWorm, getBitten, keeps, playThrough};
