// @ts-check
// A player in front of one running program: presses, clicks and answers go the way that real ones go, and
// what can be seen is read from the VM.

const {Broadcasts} = require('./broadcasts.js');
const {Clones} = require('./clones.js');
const {Data} = require('./data.js');
const {Unmet, expect} = require('./expect.js');
const {Keys, REACTION} = require('./keys.js');
const {Motion} = require('./motion.js');
const {Mouse} = require('./mouse.js');
const {Pen} = require('./pen.js');
const {Sounds} = require('./sounds.js');
const {Speech} = require('./speech.js');
const {Ticks} = require('./ticks.js');

/** Plays one freshly loaded program. */
class Player {
    /** @param {import('../types').Vm} vm a VM that runs but whose flag was not clicked yet */
    constructor(vm) {
        this.vm = vm;
        this.ticks = new Ticks(vm);
        this.keys = new Keys(vm, this.ticks);
        this.mouse = new Mouse(vm, this.ticks);
        this.speech = new Speech(vm, this.ticks);
        this.broadcasts = new Broadcasts(vm, this.ticks);
        this.clones = new Clones(vm, this.ticks);
        this.data = new Data(vm, this.ticks);
        this.motion = new Motion(vm, this.ticks);
        this.sounds = new Sounds(vm, this.ticks);
        this.pen = new Pen(vm, this.ticks);
    }

    /** Clicks the green flag. */
    async flag() {
        this.ticks.mustGoOn();
        this.vm.greenFlag();
        await this.ticks.pass(REACTION);
    }

    /** Clicks the stop sign. */
    async stop() {
        this.ticks.mustGoOn();
        this.vm.stopAll();
        await this.ticks.pass(REACTION);
    }

    /**
     * Presses and releases a key, as `keys.tap` does.
     * @param {string} key as browsers name it (' ', 'ArrowUp', 'a') or as Scratch does ('space', 'up arrow')
     * @param {number} [times] how often
     */
    async tap(key, times) {
        await this.keys.tap(key, times);
    }

    /**
     * Clicks a sprite or a clone where it shows; fails the case when it shows nowhere.
     * @param {string | import('../types').Target} which a sprite's name, or a target such as a clone
     */
    async click(which) {
        await this.mouse.click(this.#target(which));
    }

    /**
     * Drags a sprite or a clone, as `mouse.drag` does.
     * @param {string | import('../types').Target} which a sprite's name, or a target such as a clone
     * @param {{x: number, y: number}} to where it should be in the end, in Scratch units
     * @param {{as?: 'editor' | 'player', steps?: number}} [how]
     */
    async drag(which, to, how) {
        await this.mouse.drag(this.#target(which), to, how);
    }

    /**
     * Answers the open question.
     * @param {string | number} text what a person would type
     */
    async answer(text) {
        this.ticks.mustGoOn();
        expect(this.speech.waiting, 'no question is open');
        // The VM tells of the next question, but not that this one is over.
        this.speech.waiting = false;
        this.vm.runtime.emit('ANSWER', String(text));
        await this.ticks.pass(REACTION);
    }

    /** Leaves the program for good: nothing waits, watches or plays any more, and no script of it runs. */
    leave() {
        this.ticks.cancel();
        this.vm.stopAll();
        this.pen.leave();
    }

    /**
     * @param {string} name exact name of a sprite
     * @returns {import('../types').Target} the sprite, not a clone of it
     */
    sprite(name) {
        const found = this.vm.runtime.targets.find(t => t.isOriginal && !t.isStage && t.sprite.name === name);
        if (!found) throw new Unmet(`there is no sprite named ${name}`);
        return found;
    }

    /**
     * @param {string} name exact name of a variable, for all sprites or for one
     * @param {string} [owner] name of a sprite, or Stage; the first one found without it
     * @returns {any} its value
     */
    variable(name, owner) {
        return this.data.get(name, owner);
    }

    /** @param {string | import('../types').Target} which */
    #target(which) {
        return typeof which === 'string' ? this.sprite(which) : which;
    }
}

module.exports = {Player};
