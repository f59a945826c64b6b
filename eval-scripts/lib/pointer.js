// @ts-check
// Where to point on the stage so that a click reaches a given sprite, by the renderer's own picking.

/** Stage width and height in Scratch units. */
const [WIDTH, HEIGHT] = [480, 360];
/** Distance of the points tried, in Scratch units: finer than any sprite a person could click. */
const GRID = 4;
/** Pixels: the VM ignores a coordinate of exactly 0, and clicks on the far edge; so little changes no rounding. */
const NUDGE = 1e-6;

/**
 * @param {number} pixels
 * @param {number} size of the canvas in that direction
 * @returns {number} the same place, but not on the very edge
 */
const offEdge = (pixels, size) => {
    if (pixels === 0) return NUDGE;
    return pixels === size ? size - NUDGE : pixels;
};

/**
 * Mouse data as the editor posts it: pixels of the canvas, origin top left.
 * @param {any} canvas the stage's canvas
 * @param {number} x Scratch coordinate
 * @param {number} y Scratch coordinate
 */
const mouseData = (canvas, x, y) => {
    const [canvasWidth, canvasHeight] = [canvas.clientWidth, canvas.clientHeight];
    return {
        x: offEdge(((x + WIDTH / 2) / WIDTH) * canvasWidth, canvasWidth),
        y: offEdge(((HEIGHT / 2 - y) / HEIGHT) * canvasHeight, canvasHeight),
        canvasWidth,
        canvasHeight
    };
};

/**
 * Points of a box, the one nearest to a centre first.
 * @param {{left: number, right: number, top: number, bottom: number}} box in Scratch units
 * @param {{x: number, y: number}} centre where a person would click
 * @returns {{x: number, y: number}[]}
 */
const pointsNear = (box, centre) => {
    const points = [{x: Math.round(centre.x), y: Math.round(centre.y)}];
    // The edge itself belongs to no click.
    const left = Math.max(Math.ceil(box.left), -WIDTH / 2 + 1);
    const right = Math.min(box.right, WIDTH / 2 - 1);
    const bottom = Math.max(Math.ceil(box.bottom), -HEIGHT / 2 + 1);
    const top = Math.min(box.top, HEIGHT / 2 - 1);
    for (let x = left; x <= right; x += GRID) {
        for (let y = bottom; y <= top; y += GRID) points.push({x, y});
    }
    const distance = (/** @type {{x: number, y: number}} */ p) => Math.hypot(p.x - centre.x, p.y - centre.y);
    return points.sort((a, b) => distance(a) - distance(b));
};

/**
 * @param {import('../types').Vm} vm the VM with its renderer
 * @param {import('../types').Target} target the sprite or clone to be clicked
 * @returns {{x: number, y: number} | null} a point where a click reaches it; null when none does
 */
const clickPoint = (vm, target) => {
    const renderer = vm.runtime.renderer;
    const reaches = (/** @type {{x: number, y: number}} */ point) => {
        const at = mouseData(renderer.canvas, point.x, point.y);
        return renderer.pick(at.x, at.y) === target.drawableID;
    };
    return pointsNear(renderer.getBounds(target.drawableID), target).find(reaches) || null;
};

/**
 * @param {import('../types').Vm} vm the VM with its renderer
 * @returns {{x: number, y: number} | null} a point where a click reaches the stage and no sprite; null when
 *     sprites cover it all
 */
const stagePoint = vm => {
    const {renderer, targets} = vm.runtime;
    const sprites = new Set(targets.filter(target => !target.isStage).map(target => target.drawableID));
    const whole = {left: -WIDTH / 2, right: WIDTH / 2, top: HEIGHT / 2, bottom: -HEIGHT / 2};
    const isFree = (/** @type {{x: number, y: number}} */ point) => {
        const at = mouseData(renderer.canvas, point.x, point.y);
        return !sprites.has(renderer.pick(at.x, at.y));
    };
    return pointsNear(whole, {x: 0, y: 0}).find(isFree) || null;
};

module.exports = {WIDTH, HEIGHT, mouseData, pointsNear, clickPoint, stagePoint};
