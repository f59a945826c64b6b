// @ts-check
// The palette's blocks of motion carry the sprite's position. The editor writes it there when the VM tells of
// its sprites, and fills the palette anew at other moments: whichever comes last decides whether the blocks say
// where the sprite is, or 0. Here the former is made sure of, once for each filling.

/** @typedef {import('../types/page').Ctx} Ctx */

/** The editor's ids of the shadows are these with an axis behind. */
const PREFIXES = ['glide', 'move', 'set'];
const AXES = ['x', 'y'];

/**
 * Shadows whose position was right once. What they say later is what somebody typed.
 * @type {WeakSet<object>}
 */
const told = new WeakSet();

/** How often a shadow that shows something else is told; a position that its field can't show stays untold. */
const TRIES = 3;

/** @type {WeakMap<object, number>} How often each was. */
const tries = new WeakMap();

/**
 * Has the editor write the position into blocks that have never shown it.
 * @param {Ctx} ctx the page function's context
 * @returns {boolean} whether the palette had to be told, so that it is about to change
 */
const tellPosition = ({vm, workspace}) => {
    const target = vm.editingTarget;
    const palette = workspace && workspace.getFlyout()?.getWorkspace();
    if (!target || target.isStage || !palette) return false;
    let stale = false;
    for (const axis of AXES) {
        for (const prefix of PREFIXES) {
            const shadow = palette.getBlockById?.(prefix + axis);
            if (!shadow || told.has(shadow)) continue;
            const tried = tries.get(shadow) || 0;
            const isRight = String(shadow.inputList[0].fieldRow[0].getValue()) === String(Math.round(target[axis]));
            if (isRight || tried === TRIES) {
                told.add(shadow);
            } else {
                tries.set(shadow, tried + 1);
                stale = true;
            }
        }
    }
    if (stale) vm.emitTargetsUpdate(false);
    return stale;
};

module.exports = {tellPosition};
