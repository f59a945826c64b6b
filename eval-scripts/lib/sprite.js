// @ts-check
// What a sprite wears, has said and has let hear, in one expectation.

const {expectEqual} = require('./expect.js');
const {costumeOf, expectCostume} = require('./looks.js');
const {expectSeen, unseen} = require('./seen.js');

/**
 * @typedef {import('./player.js').Player} Player
 * @typedef {import('./looks.js').Sight} Sight
 */

/**
 * Compares a sprite with what it should be; what is left out is not looked at.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {{costume?: string, said?: string[], heard?: string[]}} wanted the costume that it wears; all texts and all
 *     sounds since the program was loaded, oldest first
 * @param {string} when completes the message
 * @param {Sight} [how] of the costume; a text is said only if it was seen, and a sound is heard whoever plays it
 */
const expectSprite = (player, name, {costume, said, heard}, when, how) => {
    if (costume !== undefined) expectCostume(player.sprite(name), costume, when, how);
    if (said !== undefined) expectEqual(player.speech.of(name).join(', '), said.join(', '), `what ${name} says, ${when},`);
    if (heard !== undefined) expectEqual(player.sounds.of(name).join(', '), heard.join(', '), `the sounds of ${name} ${when}`);
};

/**
 * Expects that a player sees a sprite in its costume all the time, but for when others pass in front of it.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string} costume
 * @param {number} n ticks for which it must keep it
 * @param {Sight} [how]
 */
const keepsCostume = (player, name, costume, n, {mayHide = false, mayBeCovered = true} = {}) => {
    const keeps = () => {
        const sprite = player.sprite(name);
        if (!mayHide) expectSeen(sprite, `and should keep its costume ${costume}`, {mayBeCovered});
        return costumeOf(sprite) === costume;
    };
    return player.ticks.always(`${name} keeps its costume ${costume}`, keeps, n);
};

/**
 * Waits until a player sees a sprite in a costume.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string} costume
 * @param {number} ms
 * @param {Sight} [how]
 */
const putsOn = (player, name, costume, ms, {mayHide = false, mayBeCovered = false} = {}) => {
    const wears = () => {
        const sprite = player.sprite(name);
        return costumeOf(sprite) === costume && (mayHide || unseen(sprite, {mayBeCovered}) === null);
    };
    return player.ticks.until(`${name} put on its costume ${costume}${mayHide ? '' : ' where one sees it'}`, wears, ms);
};

module.exports = {expectSprite, keepsCostume, putsOn};
