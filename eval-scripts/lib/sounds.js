// @ts-check
// Sounds that the program starts. Nothing is heard; what the sound blocks ask for is noted.

/** @typedef {{sprite: string, sound: string, tick: number}} Started names of the sprite and of its sound, and the tick, from 0 */

/** The sounds of one running program. */
class Sounds {
    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.ticks = ticks;
        /** @type {Started[]} Each start of a sound, oldest first. */
        this.started = [];
        // Clones share their sprite's bank. The blocks' own functions can't be wrapped any more: the VM keeps
        // those of loaded blocks.
        for (const target of vm.runtime.targets) {
            const bank = target.sprite.soundBank;
            if (bank && target.isOriginal) this.#wrap(bank);
        }
    }

    /**
     * @param {string} sprite a sprite's name, or Stage
     * @returns {string[]} names of the sounds that it and its clones started, oldest first
     */
    of(sprite) {
        return this.started.filter(entry => entry.sprite === sprite).map(entry => entry.sound);
    }

    /** @param {NonNullable<import('../types').Sprite['soundBank']>} bank */
    #wrap(bank) {
        const play = bank.playSound;
        bank.playSound = (target, soundId) => {
            const {name, sounds} = target.sprite;
            const sound = sounds.find(each => each.soundId === soundId);
            if (sound) this.started.push({sprite: name, sound: sound.name, tick: this.ticks.count});
            return play.call(bank, target, soundId);
        };
    }
}

module.exports = {Sounds};
