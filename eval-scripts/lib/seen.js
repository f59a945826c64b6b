// @ts-check
// Whether a player can see a sprite: a bubble without a speaker, a place where nothing stands and a costume that nobody sees
// are not what an instruction asks for. A costume in the colour of what is behind it is not looked at.

const {HALF_HEIGHT, HALF_WIDTH, isBlank, look} = require('./shown.js');
const {expect} = require('./unmet.js');

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{mayBeCovered?: boolean}} Cover `mayBeCovered`: whether a sprite counts as seen where other sprites hide all of it
 */

/** How a sprite is unseen that others hide, which may be right for one that passes behind them. */
const COVERED = 'is covered';
/**
 * The ghost effect from which nothing shows, in percent. The effect takes this part of the colours away: from 98 on, none of
 * their parts differs from what is behind by more than 5 of 255.
 */
const TRANSPARENT = 98;
/**
 * Below this area of the drawn bounds a sprite is a speck, in square Scratch units: 10 by 10. Scratch lets no size make the
 * shorter side of a costume less than 5, so a sprite of size 0 is still drawn.
 */
const SPECK = 100;
/**
 * As much of a costume Scratch keeps on the stage at most, wherever the sprite is sent, in Scratch units. Of one whose shorter side is
 * less than 30 it keeps half of that; transparent borders count as costume.
 */
const FENCE_WIDTH = 15;
/** The fence puts a sprite at a whole number, so up to one unit more shows. */
const ROUNDING = 1;

/**
 * @param {number} low
 * @param {number} high
 * @param {number} half of the stage's side
 * @returns {boolean} whether the stage ends within it, and no more of it is there than what the fence keeps
 */
const isCut = (low, high, half) => {
    const shown = Math.min(high, half) - Math.max(low, -half);
    const kept = Math.min(FENCE_WIDTH, Math.floor((high - low) / 2));
    return shown < high - low && shown < kept + ROUNDING;
};

/**
 * @param {{left: number, right: number, top: number, bottom: number}} bounds
 * @returns {boolean} whether no more of them is on the stage than what the fence keeps there, sideways or up and down
 */
const isOutside = ({left, right, top, bottom}) =>
    isCut(left, right, HALF_WIDTH) || isCut(bottom, top, HALF_HEIGHT);

/**
 * @param {Target} target a sprite, a clone or the stage
 * @param {Cover} [how]
 * @returns {string | null} why a player can't see it, as a phrase that follows its name; null when one can, as always the stage
 */
const unseen = (target, {mayBeCovered = false} = {}) => {
    if (target.isStage) return null;
    // A clone that was deleted is drawn no more.
    if (target.runtime?.targets.includes(target) === false) return 'is gone';
    // What is dragged in the editor is hidden on the stage, and shows at the pointer.
    if (!target.visible && !target.dragging) return 'is hidden';
    if (target.effects.ghost >= TRANSPARENT) return 'is transparent';
    if (isBlank(target)) return 'has an empty costume';
    const bounds = target.getBounds();
    if ((bounds.right - bounds.left) * (bounds.top - bounds.bottom) < SPECK) return 'is too small to see';
    if (isOutside(bounds)) return 'is off the stage';
    const found = look(target, bounds, mayBeCovered);
    if (found === 'outside') return 'is off the stage';
    return found === 'covered' ? COVERED : null;
};

/**
 * @param {Target} target a sprite, a clone or the stage
 * @returns {boolean} whether a player can see it
 */
const isSeen = target => unseen(target) === null;

/**
 * @param {Target} target a sprite, a clone or the stage
 * @returns {boolean} whether a player can see it, or could if no other sprite were in front of it: what it says shows in front of all
 */
const isThere = target => unseen(target, {mayBeCovered: true}) === null;

/**
 * Fails the case when a player can't see a sprite.
 * @param {Target} target a sprite, a clone or the stage
 * @param {string} [when] completes the message
 * @param {Cover} [how]
 */
const expectSeen = (target, when = '', how = {}) => {
    const why = unseen(target, how);
    expect(why === null, `the ${target.sprite.name} ${why}${when && `, ${when}`}`);
};

module.exports = {COVERED, unseen, isSeen, isThere, expectSeen};
