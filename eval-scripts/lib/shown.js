// @ts-check
// Whether anything of a sprite is drawn where a player can see it. The renderer tells colours point by point without drawing, as it does
// for `touching color`, and a program can't notice that it was asked: no shape becomes finer by it.

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{left: number, right: number, top: number, bottom: number}} Bounds in Scratch units
 */

/** Half of the stage's sides, in Scratch units. */
const [HALF_WIDTH, HALF_HEIGHT] = [240, 180];
/** An opacity, of 255, up to which nothing can be told from what is behind. */
const FAINT = 5;
/** Points at which a sprite is looked at, at most: for a larger one they lie further apart. */
const MOST_POINTS = 4000;
/** Where a vector costume keeps its picture at its own size. */
const OWN_SIZE = 8;
/** How much wider the grid is that is tried first: most of what shows at all shows there. */
const COARSE = 8;

/**
 * The greatest opacity in each picture that was looked at, by its pixels: the renderer puts others in their place when a costume is
 * drawn larger, and changes none.
 * @type {WeakMap<object, number>}
 */
const opacities = new WeakMap();

/** @type {[number, number]} */
const point = [0, 0];
const colour = new Uint8ClampedArray(4);

/**
 * @param {Target} target
 * @returns {any} what the renderer draws it with; undefined for a target without a renderer, as in tests
 */
const drawableOf = ({runtime, drawableID}) => runtime?.renderer?._allDrawables[drawableID];

/**
 * @param {Uint8ClampedArray | null} pixels four bytes each, the last one being the opacity; null for a picture without any
 * @returns {number} the greatest opacity among them, 0 to 255
 */
const greatestOpacity = pixels => {
    if (!pixels) return 0;
    let most = opacities.get(pixels);
    if (most !== undefined) return most;
    most = 0;
    for (let i = 3; i < pixels.length && most < 255; i += 4) most = Math.max(most, pixels[i]);
    opacities.set(pixels, most);
    return most;
};

/**
 * @param {Target} target a sprite or a clone
 * @returns {boolean} whether its costume has no pixel that shows, be it empty or transparent all over
 */
const isBlank = target => {
    const drawable = drawableOf(target);
    if (!drawable) return false;
    const {skin} = drawable;
    // A costume that was never drawn has no pixels yet; measuring the sprite would ask for the same ones.
    if (!skin._silhouette._colorData) skin.updateSilhouette(drawable._scale);
    const ghost = Math.max(0, target.effects.ghost || 0);
    return (greatestOpacity(skin._silhouette._colorData) * (100 - ghost)) / 100 <= FAINT;
};

/**
 * @param {Bounds} a
 * @param {Bounds} b
 * @returns {boolean} whether they have a point in common
 */
const meet = (a, b) => a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;

/**
 * What may cover a sprite: other sprites in front of it. Bubbles are beside what they belong to, and clones of one sprite can't be told from
 * each other, so neither counts.
 * @param {Target} target a sprite or a clone with a renderer
 * @param {Bounds} bounds what is drawn of it
 * @returns {any[]} their drawables
 */
const coversOf = (target, bounds) => {
    const {renderer, targets} = /** @type {import('../types').Runtime} */ (target.runtime);
    const {_drawList: order, _allDrawables: all} = renderer;
    /** @type {Set<number>} */
    const above = new Set();
    for (let i = order.length - 1; i >= 0 && order[i] !== target.drawableID; i -= 1) {
        const drawable = all[order[i]];
        if (drawable._visible && meet(drawable.getAABB(), bounds)) above.add(order[i]);
    }
    if (above.size === 0) return [];
    const others = targets.filter(({drawableID, sprite}) => above.has(drawableID) && sprite !== target.sprite);
    return others.map(({drawableID}) => all[drawableID]);
};

/** @param {any} drawable whose matrix is up to date @returns {number} its opacity at the point, 0 to 255 */
const opacityOf = drawable => drawable.constructor.sampleColor4b(point, drawable, colour)[3];

/**
 * @param {any[]} covers drawables
 * @param {number} own opacity of what they may cover, 0 to 255
 * @returns {boolean} whether something of it shows at the point
 */
const showsBelow = (covers, own) => {
    let left = own;
    for (const cover of covers) {
        left *= 1 - opacityOf(cover) / 255;
        if (left <= FAINT) return false;
    }
    return true;
};

/**
 * @param {Bounds} bounds
 * @returns {Bounds} the part of them on the stage, in whole numbers
 */
const onStage = ({left, right, top, bottom}) => ({
    left: Math.ceil(Math.max(left, -HALF_WIDTH)),
    right: Math.floor(Math.min(right, HALF_WIDTH)),
    top: Math.floor(Math.min(top, HALF_HEIGHT)),
    bottom: Math.ceil(Math.max(bottom, -HALF_HEIGHT))
});

/**
 * Looks at the points of a grid until something shows.
 * @param {any} drawable
 * @param {any[]} covers drawables in front of it
 * @param {Bounds} area whole numbers
 * @param {number} step between two points
 * @returns {'shows' | 'covered' | 'nothing'} `nothing` when none of its pixels lies on the grid
 */
const scan = (drawable, covers, {left, right, top, bottom}, step) => {
    /** @type {'covered' | 'nothing'} */
    let found = 'nothing';
    // The far edges as well, whatever the step.
    for (let y = bottom; y <= top; y = y < top ? Math.min(y + step, top) : top + 1) {
        for (let x = left; x <= right; x = x < right ? Math.min(x + step, right) : right + 1) {
            [point[0], point[1]] = [x, y];
            const own = opacityOf(drawable);
            if (own <= FAINT) continue;
            if (showsBelow(covers, own)) return 'shows';
            found = 'covered';
        }
    }
    return found;
};

/**
 * Sampled with this effect, a vector costume is drawn at its own size first, and `touching` would compare that shape from then on.
 * @param {any} drawable
 * @returns {boolean} whether it can't be looked at without a trace
 */
const needsAnotherPicture = ({_uniforms, skin}) => _uniforms?.u_pixelate > 0 && Boolean(skin._scaledMIPs) && !skin._scaledMIPs[OWN_SIZE];

/**
 * Looks for a pixel of a sprite on the stage that no other sprite covers.
 * @param {Target} target a sprite or a clone that is not blank
 * @param {Bounds} bounds what is drawn of it, wherever that is
 * @param {boolean} [mayBeCovered] whether what is in front of it is of no account
 * @returns {'shows' | 'covered' | 'outside'} `covered` when all that was found of it lies behind others, `outside` when the bounds reach the
 *     stage, but no pixel does. What is finer than the grid shows
 */
const look = (target, bounds, mayBeCovered = false) => {
    const drawable = drawableOf(target);
    // What is dragged in the editor is not drawn on the stage, but in front of it.
    if (!drawable || !drawable._visible) return 'shows';
    const covers = mayBeCovered ? [] : coversOf(target, bounds);
    const isCut = bounds.left < -HALF_WIDTH || bounds.right > HALF_WIDTH || bounds.top > HALF_HEIGHT || bounds.bottom < -HALF_HEIGHT;
    if (covers.length === 0 && !isCut) return 'shows';
    if ([drawable, ...covers].some(needsAnotherPicture)) return 'shows';
    for (const each of [drawable, ...covers]) each.updateMatrix();
    // Bounds go through the middles of a costume's outer pixels, which may be large.
    const rim = Math.floor(Math.max(Math.abs(drawable._scale[0]), Math.abs(drawable._scale[1])) / 200);
    const {left, right, top, bottom} = bounds;
    const area = onStage({left: left - rim, right: right + rim, top: top + rim, bottom: bottom - rim});
    const size = Math.max(0, area.right - area.left + 1) * Math.max(0, area.top - area.bottom + 1);
    const step = Math.max(1, Math.ceil(Math.sqrt(size / MOST_POINTS)));
    if (scan(drawable, covers, area, step * COARSE) === 'shows') return 'shows';
    const found = scan(drawable, covers, area, step);
    if (found !== 'nothing') return found;
    return isCut && step === 1 ? 'outside' : 'shows';
};

module.exports = {FAINT, HALF_HEIGHT, HALF_WIDTH, isBlank, look};
