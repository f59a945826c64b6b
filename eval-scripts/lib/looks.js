// @ts-check
// What the stage shows of a sprite besides its place: costume, effects, layer; and the backdrop.

const {expectEqual} = require('./expect.js');
const {expectSeen} = require('./seen.js');

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{mayHide?: boolean, mayBeCovered?: boolean}} Sight `mayHide`: whether what is expected counts even if a player can't see the
 *     sprite; `mayBeCovered`: whether it counts where other sprites hide all of it
 */

/**
 * @param {Target} target a sprite, a clone or the stage
 * @returns {string} name of the costume, or backdrop, that it wears
 */
const costumeOf = target => target.getCostumes()[target.currentCostume]?.name ?? '';

/**
 * Expects that a player sees a sprite in a costume.
 * @param {Target} target a sprite or a clone
 * @param {string} costume name of it
 * @param {string} when completes the message
 * @param {Sight} [how]
 */
const expectCostume = (target, costume, when, {mayHide = false, mayBeCovered = false} = {}) => {
    if (!mayHide) expectSeen(target, when, {mayBeCovered});
    expectEqual(costumeOf(target), costume, `the costume of ${target.sprite.name} ${when}`);
};

/**
 * @param {{vm: import('../types').Vm}} player
 * @returns {string} name of the backdrop that shows
 */
const backdropOf = ({vm}) => {
    const stage = vm.runtime.targets.find(target => target.isStage);
    return stage ? costumeOf(stage) : '';
};

/**
 * @param {Target} target
 * @param {'color' | 'fisheye' | 'whirl' | 'pixelate' | 'mosaic' | 'brightness' | 'ghost'} effect
 * @returns {number} its strength, 0 without it
 */
const effectOf = (target, effect) => target.effects[effect];

/**
 * @param {Target} a
 * @param {Target} b
 * @returns {boolean} whether a is in front of b
 */
const isInFront = (a, b) => a.getLayerOrder() > b.getLayerOrder();

module.exports = {costumeOf, expectCostume, backdropOf, effectOf, isInFront};
