// @ts-check
// The mouse: moves and clicks go to the VM as the editor's stage posts them, and the VM itself finds out what
// was clicked. Drags do what the editor's stage does around the VM.

const {Unmet} = require('./expect.js');
const {REACTION, TAP} = require('./keys.js');
const {HEIGHT, WIDTH, clickPoint, mouseData, stagePoint} = require('./pointer.js');

/** Ticks of holding still after which the editor's stage takes a press for a drag: 400 ms. */
const DRAG_AFTER = 12;
/** Moves that a drag is made of, one a tick, unless told otherwise. */
const DRAG_STEPS = 10;

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{x: number, y: number}} Point in Scratch units
 */

/** The mouse of one running program. */
class Mouse {
    /** @type {Point} Where it was moved last. */
    #at = {x: 0, y: 0};

    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
        // Until the first mouse event the VM has no mouse position at all.
        this.moveTo(0, 0);
    }

    /**
     * Moves the pointer; with the button down or up, as it is.
     * @param {number} x Scratch coordinate, -240 to 240; beyond that it is off the stage
     * @param {number} y Scratch coordinate, -180 to 180
     */
    moveTo(x, y) {
        this.#at = {x, y};
        this.#post({});
    }

    /** Puts the button down where the pointer is. */
    press() {
        this.#post({isDown: true});
    }

    /** Lets the button go where the pointer is. */
    release() {
        this.#post({isDown: false});
    }

    /**
     * Clicks at a place, whatever is there, and gives the program time to react.
     * @param {number} x Scratch coordinate
     * @param {number} y Scratch coordinate
     */
    async clickAt(x, y) {
        this.moveTo(x, y);
        await this.ticks.pass(1);
        this.press();
        await this.ticks.pass(TAP);
        this.release();
        await this.ticks.pass(REACTION);
    }

    /**
     * Clicks a sprite or a clone where it shows; fails the case when it shows nowhere.
     * @param {Target} target
     */
    async click(target) {
        const {x, y} = this.#pointOf(target, 'clicked');
        await this.clickAt(x, y);
    }

    /** Clicks the stage where no sprite is; fails the case when sprites cover it all. */
    async clickStage() {
        const point = stagePoint(this.vm);
        if (!point) throw new Unmet("the stage can't be clicked: sprites cover it");
        await this.clickAt(point.x, point.y);
    }

    /**
     * Drags a sprite or a clone by the point where it shows; its own point ends at the given place.
     * @param {Target} target
     * @param {Point} to where its position should be in the end
     * @param {{as?: 'editor' | 'player', steps?: number}} [how] `as: 'editor'`, the default, drags any sprite, which is
     *     hidden and stays where it is until it is dropped; `as: 'player'`, as on a project's page, drags only
     *     sprites that the program made draggable, and they follow the pointer. `steps` is the number of moves, one a
     *     tick. A sprite that is not draggable also notices the press as a click, as it does in the editor
     */
    async drag(target, to, {as = 'editor', steps = DRAG_STEPS} = {}) {
        if (as === 'player' && !target.draggable) throw new Unmet(`${target.sprite.name} can't be dragged by a player`);
        const from = this.#pointOf(target, 'dragged');
        const offset = {x: target.x - from.x, y: target.y - from.y};
        this.moveTo(from.x, from.y);
        await this.ticks.pass(1);
        this.press();
        await this.ticks.pass(DRAG_AFTER);
        this.#lift(target, as);
        for (let i = 1; i <= steps; i += 1) {
            const part = i / steps;
            const x = from.x + (to.x - offset.x - from.x) * part;
            const y = from.y + (to.y - offset.y - from.y) * part;
            if (as === 'player') this.vm.postSpriteInfo({x: x + offset.x, y: y + offset.y, force: true});
            this.moveTo(x, y);
            await this.ticks.pass(1);
        }
        if (as === 'editor') {
            // The editor puts back what is dropped beside the stage.
            const onStage = Math.abs(this.#at.x) < WIDTH / 2 && Math.abs(this.#at.y) < HEIGHT / 2;
            this.vm.postSpriteInfo({visible: true, ...(onStage ? {...to, force: true} : {})});
        }
        this.vm.stopDrag(target.id);
        // The VM must not take the end of a drag for a click.
        this.#post({isDown: false, wasDragged: true});
        await this.ticks.pass(REACTION);
    }

    /** @param {Target} target @param {'editor' | 'player'} as */
    #lift(target, as) {
        this.ticks.mustGoOn();
        target.goToFront();
        this.vm.startDrag(target.id);
        if (as === 'editor') this.vm.postSpriteInfo({visible: false});
    }

    /** @param {Target} target @param {string} done what is to be done with it, for the message */
    #pointOf(target, done) {
        const point = clickPoint(this.vm, target);
        if (!point) throw new Unmet(`${target.sprite.name} can't be ${done}: it is hidden, covered or off the stage`);
        return point;
    }

    /** @param {{isDown?: boolean, wasDragged?: boolean}} button */
    #post(button) {
        this.ticks.mustGoOn();
        this.vm.postIOData('mouse', {...mouseData(this.vm.runtime.renderer.canvas, this.#at.x, this.#at.y), ...button});
    }
}

module.exports = {Mouse};
