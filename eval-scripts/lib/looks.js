// @ts-check
// What the stage shows of a sprite besides its place: costume, effects, layer; and the backdrop.

/** @typedef {import('../types').Target} Target */

/**
 * @param {Target} target a sprite, a clone or the stage
 * @returns {string} name of the costume, or backdrop, that it wears
 */
const costumeOf = target => target.getCostumes()[target.currentCostume]?.name ?? '';

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

module.exports = {costumeOf, backdropOf, effectOf, isInFront};
