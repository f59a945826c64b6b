// @ts-check
// Judge of create/mole_patch: random places over many draws, catching, and that nothing else moves the Mole.

const {expect, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {{x: number, y: number}} Place
 */

const [MAX_X, MAX_Y] = [180, 120];
/** Draws by the flag, and as many by clicks: that all miss a given quarter of a range happens once in thirty million times. */
const DRAWS = 60;
/** Into which each direction is divided. */
const PARTS = 4;

/** @param {Player} player @returns {Place} */
const placeOf = player => {
    const {x, y} = player.sprite('Mole');
    return {x, y};
};

/** @param {Place} place */
const expectInPatch = ({x, y}) => {
    expect(Number.isInteger(x) && Number.isInteger(y), `the Mole should be at whole numbers, not at x ${x}, y ${y}`);
    const inside = Math.abs(x) <= MAX_X && Math.abs(y) <= MAX_Y;
    expect(inside, `x should be from -180 to 180 and y from -120 to 120, but the Mole is at x ${x}, y ${y}`);
};

/**
 * Expects that places are spread over the whole patch, in both directions independently.
 * @param {Place[]} places
 */
const expectSpread = places => {
    const part = (/** @type {number} */ value, /** @type {number} */ max) =>
        Math.min(PARTS - 1, Math.floor(((value + max) / (2 * max)) * PARTS));
    const [columns, rows, cells] = [new Set(), new Set(), new Set()];
    for (const {x, y} of places) {
        columns.add(part(x, MAX_X));
        rows.add(part(y, MAX_Y));
        cells.add(`${part(x, MAX_X)} ${part(y, MAX_Y)}`);
    }
    expect(columns.size === PARTS, `x should come from the whole range, but was ${places.map(({x}) => x).join(', ')}`);
    expect(rows.size === PARTS, `y should come from the whole range, but was ${places.map(({y}) => y).join(', ')}`);
    expect(cells.size > PARTS, 'x and y should be drawn each for itself');
};

/**
 * Clicks the Mole with a quick hand, since many draws take their time.
 * @param {Player} player
 */
const dab = async player => {
    const {x, y} = placeOf(player);
    player.mouse.moveTo(x, y);
    player.mouse.press();
    await player.ticks.pass(1);
    player.mouse.release();
    await player.ticks.pass(2);
};

/**
 * Catches the Mole and checks what follows.
 * @param {Player} player
 * @param {number} nth catch since the flag
 */
const catchMole = async (player, nth) => {
    const squeaks = player.sounds.of('Mole').length;
    await dab(player);
    expectEqual(player.variable('caught'), nth, `caught after ${nth} clicks`);
    expectEqual(player.sounds.of('Mole').length, squeaks + 1, `the number of squeaks after click ${nth}`);
    expectInPatch(placeOf(player));
    return placeOf(player);
};

module.exports = suite([
    {
        name: 'the flag sets caught to 0 and puts the Mole in the patch, without a sound',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('caught'), 0, 'caught');
            expectInPatch(placeOf(player));
            expectEqual(player.sounds.of('Mole').length, 0, 'the number of squeaks');
        }
    },
    {
        name: 'over many flags, it pops up all over the patch',
        run: async player => {
            const places = [];
            for (let i = 0; i < DRAWS; i += 1) {
                await player.flag();
                expectInPatch(placeOf(player));
                places.push(placeOf(player));
            }
            expectSpread(places);
        }
    },
    {
        name: 'each click counts, squeaks and sends the Mole somewhere in the patch',
        run: async player => {
            await player.flag();
            const places = [];
            for (let i = 1; i <= DRAWS; i += 1) places.push(await catchMole(player, i));
            expectSpread(places);
            expect(player.sounds.of('Mole').every(sound => sound === 'squeak'), 'all sounds should be squeak');
        }
    },
    {
        name: 'the Mole stays where it is until it is clicked',
        run: async player => {
            await player.flag();
            const {x, y} = await catchMole(player, 1);
            const mole = player.sprite('Mole');
            await player.ticks.always('the Mole stays where it is', () => mole.x === x && mole.y === y, 30);
            await player.mouse.clickStage();
            expect(mole.x === x && mole.y === y, 'the Mole should stay where it is when the stage is clicked');
            expectEqual(player.variable('caught'), 1, 'caught after a click beside the Mole');
            expectEqual(player.sounds.of('Mole').length, 1, 'the number of squeaks after a click beside the Mole');
            await catchMole(player, 2);
        }
    },
    {
        name: 'a second green flag sets caught back to 0',
        run: async player => {
            await player.flag();
            for (let i = 1; i <= 3; i += 1) await catchMole(player, i);
            await player.flag();
            expectEqual(player.variable('caught'), 0, 'caught after the second flag');
            expectEqual(player.sounds.of('Mole').length, 3, 'the number of squeaks after the second flag');
            await catchMole(player, 1);
        }
    }
]);
