// @ts-check
// The keyboard: keys go down and up where the editor's own go, so hats and "key pressed?" both see them.

/** Ticks that a tapped key or button stays down: long enough to be seen, too short to repeat. */
const TAP = 2;
/** Ticks after which the scripts that an input started have had their turn. */
const REACTION = 3;
/** Ticks after which a held key repeats, as keyboards do: half a second, then with every tick. */
const REPEAT_AFTER = 15;

/** Names that Scratch's menus have, and the browser's names for them. @type {Record<string, string>} */
const SCRATCH_NAMES = {
    space: ' ',
    enter: 'Enter',
    'left arrow': 'ArrowLeft',
    'right arrow': 'ArrowRight',
    'up arrow': 'ArrowUp',
    'down arrow': 'ArrowDown'
};

/**
 * @param {string} name as in Scratch's menus ('space', 'left arrow') or as browsers have it (' ', 'ArrowLeft'); a
 *     single character stands for itself in both
 * @returns {string} the browser's name; other names are a fault of the script, since the VM would ignore them
 */
const browserKey = name => {
    if (Object.hasOwn(SCRATCH_NAMES, name)) return SCRATCH_NAMES[name];
    if ([...name].length === 1 || Object.values(SCRATCH_NAMES).includes(name)) return name;
    throw new Error(`Scratch knows no key named ${JSON.stringify(name)}`);
};

/** The keyboard of one running program. */
class Keys {
    /** @type {Set<string>} Browser names of the keys that are down. */
    #down = new Set();

    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
    }

    /**
     * Puts a key down and leaves it there. It does not repeat; `hold` does.
     * @param {string} name see `browserKey`
     */
    press(name) {
        const key = browserKey(name);
        this.#down.add(key);
        this.#post(key, true);
    }

    /**
     * Lets a key go.
     * @param {string} name see `browserKey`
     */
    release(name) {
        const key = browserKey(name);
        this.#down.delete(key);
        this.#post(key, false);
    }

    /** Lets all keys go that are down. */
    releaseAll() {
        for (const key of [...this.#down]) this.release(key);
    }

    /**
     * Holds a key down, waits, and lets it go.
     * @param {string} name see `browserKey`
     * @param {number} n ticks that it stays down
     * @param {{repeat?: boolean}} [how] `repeat`: the key repeats after half a second, as it does unless switched
     *     off; only hats notice
     */
    async hold(name, n, {repeat = true} = {}) {
        const key = browserKey(name);
        this.press(name);
        for (let passed = 0; passed < n; passed += 1) {
            if (repeat && passed >= REPEAT_AFTER) this.#post(key, true);
            await this.ticks.pass(1);
        }
        this.release(name);
        await this.ticks.pass(REACTION);
    }

    /**
     * Presses and releases a key, and gives the program time to react.
     * @param {string} name see `browserKey`
     * @param {number} [times] how often
     */
    async tap(name, times = 1) {
        for (let i = 0; i < times; i += 1) await this.hold(name, TAP);
    }

    /** @param {string} key @param {boolean} isDown */
    #post(key, isDown) {
        this.ticks.mustGoOn();
        this.vm.postIOData('keyboard', {key, isDown});
    }
}

module.exports = {Keys, browserKey, TAP, REACTION};
