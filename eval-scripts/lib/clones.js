// @ts-check
// Clones: which ones there are, and when they came and went.

const {isSeen} = require('./seen.js');

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{sprite: string, target: Target, tick: number}} Change a clone that came or went, its sprite's name, and the
 *     tick in which it happened, from 0
 */

/** The clones of one running program. */
class Clones {
    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
        /** @type {Change[]} Each clone that was made, oldest first. */
        this.created = [];
        /** @type {Change[]} Each clone that was deleted, oldest first; stopping the program deletes all. */
        this.removed = [];
        vm.runtime.on('targetWasCreated', target => this.#note(this.created, target));
        vm.runtime.on('targetWasRemoved', target => this.#note(this.removed, target));
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {Target[]} its clones that there are now, oldest first; the sprite itself is none
     */
    of(sprite) {
        return this.#all().filter(target => target.sprite.name === sprite);
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {Target[]} those of its clones that a player can see now, oldest first
     */
    seen(sprite) {
        return this.of(sprite).filter(isSeen);
    }

    /**
     * @param {string} [sprite] a sprite's name; all sprites without it
     * @returns {number} how many clones there are now
     */
    count(sprite) {
        return sprite === undefined ? this.#all().length : this.of(sprite).length;
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {number} how many clones of it were made since the case began, deleted ones included
     */
    made(sprite) {
        return this.created.filter(change => change.sprite === sprite).length;
    }

    /**
     * @param {Target} target a clone
     * @returns {boolean} whether it is still there
     */
    isAlive(target) {
        return this.vm.runtime.targets.includes(target);
    }

    #all() {
        return this.vm.runtime.targets.filter(target => !target.isOriginal && !target.isStage);
    }

    /** @param {Change[]} changes @param {Target} target */
    #note(changes, target) {
        if (target.isOriginal) return;
        changes.push({sprite: target.sprite.name, target, tick: this.ticks.count});
    }
}

module.exports = {Clones};
