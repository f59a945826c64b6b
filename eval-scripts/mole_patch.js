// @ts-check
// Judge of create/mole_patch: random places over many draws, catching, and that nothing else moves the Mole.

const {expectUniform} = require('./lib/chance.js');
const {expect, expectEqual, expectTexts} = require('./lib/expect.js');
const {expectSeen, isThere} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/**
 * @typedef {import('./lib/player.js').Player} Player
 * @typedef {{x: number, y: number}} Place
 */

const [MAX_X, MAX_Y] = [180, 120];
/** Draws by the flag, and as many by clicks. */
const DRAWS = 110;
/** Into which each direction is divided. */
const PARTS = 4;
/** Fields of the patch that draws must meet: that they miss six of the sixteen happens once in 10^18 times. */
const FIELDS = 11;
/** Ticks after which a click must have had its effect: a squeak that is heard first lasts 5. */
const PATIENCE = 30;

/** @param {Player} player @returns {Place} */
const placeOf = player => {
    const {x, y} = player.sprite('Mole');
    return {x, y};
};

/**
 * @param {Player} player
 * @returns {Place} where the Mole shows, which must be in the patch
 */
const expectInPatch = player => {
    expectSeen(player.sprite('Mole'), 'in the patch');
    const {x, y} = placeOf(player);
    expect(Number.isInteger(x) && Number.isInteger(y), `the Mole should be at whole numbers, not at x ${x}, y ${y}`);
    const inside = Math.abs(x) <= MAX_X && Math.abs(y) <= MAX_Y;
    expect(inside, `x should be from -180 to 180 and y from -120 to 120, but the Mole is at x ${x}, y ${y}`);
    return {x, y};
};

/**
 * Expects that places are spread over the whole patch, in both directions independently.
 * @param {Place[]} places
 */
const expectSpread = places => {
    expectUniform(places.map(({x}) => x), -MAX_X, MAX_X, 'the x of the Mole');
    expectUniform(places.map(({y}) => y), -MAX_Y, MAX_Y, 'the y of the Mole');
    const part = (/** @type {number} */ value, /** @type {number} */ max) =>
        Math.min(PARTS - 1, Math.floor(((value + max) / (2 * max)) * PARTS));
    const fields = new Set(places.map(({x, y}) => `${part(x, MAX_X)} ${part(y, MAX_Y)}`));
    expect(fields.size >= FIELDS, 'the Mole should pop up all over the patch: y should not depend on x');
};

/**
 * Clicks the Mole with a quick hand, and waits until the click has had its effect.
 * @param {Player} player
 */
const dab = async player => {
    const {x, y} = placeOf(player);
    player.mouse.moveTo(x, y);
    player.mouse.press();
    await player.ticks.pass(1);
    player.mouse.release();
    await player.ticks.pass(1);
    await player.ticks.rest(0, PATIENCE);
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
    expectTexts(player.sounds.of('Mole').slice(squeaks), ['squeak'], `the sounds after click ${nth}`);
    return expectInPatch(player);
};

module.exports = suite([
    {
        name: 'the flag sets caught to 0 and puts the Mole in the patch, without a sound',
        run: async player => {
            await player.flag();
            expectEqual(player.variable('caught'), 0, 'caught');
            expectInPatch(player);
            await player.ticks.rest();
            expectTexts(player.sounds.of('Mole'), [], 'the sounds before a click');
        }
    },
    {
        name: 'over many flags, it pops up all over the patch',
        run: async player => {
            const places = [];
            for (let i = 0; i < DRAWS; i += 1) {
                player.vm.greenFlag();
                await player.ticks.pass(2);
                places.push(expectInPatch(player));
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
        }
    },
    {
        name: 'the Mole stays where it is until it is clicked',
        run: async player => {
            await player.flag();
            const {x, y} = await catchMole(player, 1);
            const mole = player.sprite('Mole');
            const stays = () => mole.x === x && mole.y === y && isThere(mole);
            await player.ticks.always('the Mole shows and stays where it is', stays, 75);
            await player.mouse.clickStage();
            await player.ticks.rest();
            expect(stays(), 'the Mole should stay where it is when the stage is clicked');
            expectEqual(player.variable('caught'), 1, 'caught after a click beside the Mole');
            expectTexts(player.sounds.of('Mole'), ['squeak'], 'the sounds after a click beside the Mole');
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
            for (let i = 1; i <= 2; i += 1) await catchMole(player, i);
        }
    }
]);
