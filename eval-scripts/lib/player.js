// @ts-check
// A player in front of one running program: presses, clicks and answers go the way that real ones go, and
// what can be seen is read from the VM.

const {Unmet, expect} = require('./expect.js');
const {clickPoint, mouseData} = require('./pointer.js');
const {Speech} = require('./speech.js');
const {Ticks} = require('./ticks.js');

/** Ticks that a tapped key or button stays down: long enough to be seen, too short to repeat. */
const TAP = 2;
/** Ticks after which the scripts that an input started have had their turn. */
const REACTION = 3;

/** Plays one freshly loaded program. */
class Player {
    /** @param {import('../types').Vm} vm a VM that runs but whose flag was not clicked yet */
    constructor(vm) {
        this.vm = vm;
        this.ticks = new Ticks(vm);
        this.speech = new Speech(vm);
        // Until the first mouse event the VM has no mouse position at all.
        vm.postIOData('mouse', mouseData(vm.runtime.renderer.canvas, 0, 0));
    }

    /** Clicks the green flag. */
    async flag() {
        this.vm.greenFlag();
        await this.ticks.pass(REACTION);
    }

    /**
     * Presses and releases a key.
     * @param {string} key as browsers name it: ' ', 'ArrowUp', 'a'
     */
    async tap(key) {
        this.vm.postIOData('keyboard', {key, isDown: true});
        await this.ticks.pass(TAP);
        this.vm.postIOData('keyboard', {key, isDown: false});
        await this.ticks.pass(REACTION);
    }

    /**
     * Clicks a sprite where it shows.
     * @param {string} name the sprite's name
     */
    async click(name) {
        const point = clickPoint(this.vm, this.sprite(name));
        if (!point) throw new Unmet(`${name} can't be clicked: it is hidden, covered or off the stage`);
        const at = mouseData(this.vm.runtime.renderer.canvas, point.x, point.y);
        this.vm.postIOData('mouse', at);
        await this.ticks.pass(1);
        this.vm.postIOData('mouse', {...at, isDown: true});
        await this.ticks.pass(TAP);
        this.vm.postIOData('mouse', {...at, isDown: false});
        await this.ticks.pass(REACTION);
    }

    /**
     * Answers the open question.
     * @param {string | number} text what a person would type
     */
    async answer(text) {
        expect(this.speech.waiting, 'no question is open');
        this.vm.runtime.emit('ANSWER', String(text));
        await this.ticks.pass(REACTION);
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
     * @returns {any} its value
     */
    variable(name) {
        for (const target of this.vm.runtime.targets) {
            if (!target.isOriginal) continue;
            const found = Object.values(target.variables).find(v => v.type === '' && v.name === name);
            if (found) return found.value;
        }
        throw new Unmet(`there is no variable named ${name}`);
    }
}

module.exports = {Player};
