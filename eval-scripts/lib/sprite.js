// @ts-check
// What a sprite wears, has said and has let hear, in one expectation.

const {expectEqual} = require('./expect.js');
const {costumeOf} = require('./looks.js');

/** @typedef {import('./player.js').Player} Player */

/**
 * Compares a sprite with what it should be; what is left out is not looked at.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {{costume?: string, said?: string[], heard?: string[]}} wanted the costume that it wears; all texts and all
 *     sounds since the program was loaded, oldest first
 * @param {string} when completes the message
 */
const expectSprite = (player, name, {costume, said, heard}, when) => {
    if (costume !== undefined) expectEqual(costumeOf(player.sprite(name)), costume, `the costume of ${name} ${when}`);
    if (said !== undefined) expectEqual(player.speech.of(name).join(', '), said.join(', '), `what ${name} says, ${when},`);
    if (heard !== undefined) expectEqual(player.sounds.of(name).join(', '), heard.join(', '), `the sounds of ${name} ${when}`);
};

/**
 * Expects that a sprite keeps its costume.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string} costume
 * @param {number} n ticks for which it must
 */
const keepsCostume = (player, name, costume, n) =>
    player.ticks.always(`${name} keeps its costume ${costume}`, () => costumeOf(player.sprite(name)) === costume, n);

/**
 * Waits until a sprite wears a costume.
 * @param {Player} player
 * @param {string} name the sprite's
 * @param {string} costume
 * @param {number} ms
 */
const putsOn = (player, name, costume, ms) =>
    player.ticks.until(`${name} put on its costume ${costume}`, () => costumeOf(player.sprite(name)) === costume, ms);

module.exports = {expectSprite, keepsCostume, putsOn};
