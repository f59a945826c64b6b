// @ts-check
// The palette's blocks of motion carry the sprite's position. The editor writes it there a tenth of a second after
// the VM has told of its sprites, and fills the palette anew at other moments: whichever comes last decides whether
// the blocks say where the sprite is, or 0. Here it is written at once.

/** @typedef {import('../../types/page').Ctx} Ctx */

/** The editor's ids of the shadows are these with an axis behind. */
const PREFIXES = ['glide', 'move', 'set'];
const AXES = ['x', 'y'];

/**
 * The position that each shadow was last given. As long as the sprite stays there, the shadow is left alone: what
 * it says then is what somebody typed.
 * @type {WeakMap<object, string>}
 */
const given = new WeakMap();

/**
 * Writes the position of the editing target into the palette as the editor does.
 * @param {Ctx} ctx the page function's context
 * @returns {boolean} whether the palette has changed
 */
const showPosition = ({vm, workspace}) => {
    const target = vm.editingTarget;
    const palette = workspace && workspace.getFlyout()?.getWorkspace();
    if (!target || target.isStage || !palette) return false;
    let changed = false;
    for (const axis of AXES) {
        const position = String(Math.round(target[axis]));
        for (const prefix of PREFIXES) {
            const shadow = palette.getBlockById?.(prefix + axis);
            if (!shadow || given.get(shadow) === position) continue;
            given.set(shadow, position);
            const field = shadow.inputList[0].fieldRow[0];
            if (String(field.getValue()) === position) continue;
            field.setValue(position);
            changed = true;
        }
    }
    return changed;
};

module.exports = {showPosition};
