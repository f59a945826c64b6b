// @ts-check
// What pens draw: the lines and dots that the pen blocks ask the renderer for, however many in one tick.

/**
 * @typedef {{x: number, y: number}} Point in Scratch units
 * @typedef {{from: Point, to: Point, color: string, opacity: number, size: number, tick: number}} Line a stroke that one
 *     move of a sprite with its pen down left, or a dot where it put it down; colour as '#rrggbb', opacity from 0, which
 *     nobody sees, to 1, and the tick, from 0
 */

/** Where the VM keeps a sprite's pen. */
const PEN = 'Scratch.pen';

/** @param {{color4f: ArrayLike<number>, diameter: number}} attributes as the renderer gets them */
const look = ({color4f, diameter}) => {
    const part = (/** @type {number} */ i) =>
        Math.round(color4f[i] * 255)
            .toString(16)
            .padStart(2, '0');
    return {color: `#${part(0)}${part(1)}${part(2)}`, opacity: color4f[3], size: diameter};
};

/** The pens of one running program. */
class Pen {
    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.ticks = ticks;
        /** @type {Line[]} The strokes on the stage, oldest first; dots and what was erased are left out. */
        this.lines = [];
        /** @type {Line[]} The dots on the stage, where a pen was put down. */
        this.dots = [];
        /** How often everything was erased. */
        this.erased = 0;
        const {renderer} = vm.runtime;
        this.renderer = renderer;
        this.own = {penLine: renderer.penLine, penPoint: renderer.penPoint, penClear: renderer.penClear};
        const {own} = this;
        renderer.penLine = (/** @type {any[]} */ ...args) => {
            const [, attributes, x0, y0, x1, y1] = args;
            // A sprite that is sent to where it is leaves nothing new.
            if (x0 !== x1 || y0 !== y1) this.#note(this.lines, attributes, {x: x0, y: y0}, {x: x1, y: y1});
            return own.penLine.apply(renderer, args);
        };
        renderer.penPoint = (/** @type {any[]} */ ...args) => {
            const [, attributes, x, y] = args;
            this.#note(this.dots, attributes, {x, y}, {x, y});
            return own.penPoint.apply(renderer, args);
        };
        renderer.penClear = (/** @type {any[]} */ ...args) => {
            this.lines = [];
            this.dots = [];
            this.erased += 1;
            return own.penClear.apply(renderer, args);
        };
    }

    /**
     * @param {import('../types').Target} target
     * @returns {boolean} whether its pen is down
     */
    isDown(target) {
        return Boolean(target.getCustomState(PEN)?.penDown);
    }

    /** Gives the renderer its own functions back: the next program draws with the same one. */
    leave() {
        Object.assign(this.renderer, this.own);
    }

    /** @param {Line[]} marks @param {any} attributes @param {Point} from @param {Point} to */
    #note(marks, attributes, from, to) {
        marks.push({from, to, ...look(attributes), tick: this.ticks.count});
    }
}

module.exports = {Pen};
