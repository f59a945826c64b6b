// @ts-check
// Variables and lists: reading them, setting them before a case, and what they held from tick to tick.

const {Unmet} = require('./expect.js');

/**
 * @typedef {import('../types').Target} Target
 * @typedef {import('../types').Variable} Variable
 * @typedef {{tick: number, value: any}} Entry a value and the tick, from 0, after which it was seen first
 */

/** @param {any} value @returns {any} a list is copied, since the VM changes it in place */
const copy = value => (Array.isArray(value) ? [...value] : value);

/** @param {any} a @param {any} b @returns {boolean} whether they are the same value, or lists of the same items */
const unchanged = (a, b) => {
    if (!Array.isArray(a) || !Array.isArray(b)) return Object.is(a, b);
    return a.length === b.length && a.every((item, i) => Object.is(item, b[i]));
};

/** What one variable or list held over time; only ends of ticks count, not what comes and goes within one. */
class History {
    /**
     * @param {Variable} variable
     * @param {import('./ticks.js').Ticks} ticks
     */
    constructor(variable, ticks) {
        /** @type {Entry[]} What it held when watching began, and then each change. */
        this.entries = [{tick: ticks.count - 1, value: copy(variable.value)}];
        /** Ends watching. */
        this.stop = ticks.observe(tick => {
            if (unchanged(this.last, variable.value)) return;
            this.entries.push({tick, value: copy(variable.value)});
        });
    }

    /** @returns {any} the value last seen */
    get last() {
        return this.entries[this.entries.length - 1].value;
    }

    /** @returns {any[]} all values in turn, the one at the beginning first */
    get values() {
        return this.entries.map(entry => entry.value);
    }

    /** @returns {number} how often it was seen to change */
    get changes() {
        return this.entries.length - 1;
    }
}

/** The variables and lists of one running program. Sprites are meant, not their clones. */
class Data {
    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
    }

    /**
     * @param {string} name exact name of a variable
     * @param {string} [owner] name of a sprite, or Stage for one that is for all sprites; the first one found without it
     * @returns {any} its value; the case fails when there is no such variable
     */
    get(name, owner) {
        return this.#find(name, '', owner).value;
    }

    /**
     * @param {string} name exact name of a list
     * @param {string} [owner] as for `get`
     * @returns {any[]} a copy of its items; the case fails when there is no such list
     */
    list(name, owner) {
        return copy(this.#find(name, 'list', owner).value);
    }

    /**
     * Puts a value into a variable, as a first step of a case: the program takes it for its own.
     * @param {string} name exact name of a variable
     * @param {string | number | boolean} value what Scratch can hold
     * @param {string} [owner] as for `get`
     */
    set(name, value, owner) {
        this.ticks.mustGoOn();
        this.#find(name, '', owner).value = value;
    }

    /**
     * Replaces the items of a list, as a first step of a case.
     * @param {string} name exact name of a list
     * @param {(string | number | boolean)[]} items
     * @param {string} [owner] as for `get`
     */
    setList(name, items, owner) {
        this.ticks.mustGoOn();
        const list = this.#find(name, 'list', owner);
        list.value = [...items];
        list._monitorUpToDate = false;
    }

    /**
     * Watches a variable or a list from now on. A long list costs time with each tick: it is compared item by item.
     * @param {string} name exact name
     * @param {string} [owner] as for `get`
     * @returns {History}
     */
    watch(name, owner) {
        return new History(this.#find(name, null, owner), this.ticks);
    }

    /**
     * @param {string} name
     * @param {'' | 'list' | null} type null for either
     * @param {string} [owner]
     * @returns {Variable}
     */
    #find(name, type, owner) {
        const owns = (/** @type {Target} */ target) =>
            owner === undefined || (target.isStage ? owner === 'Stage' : target.sprite.name === owner);
        const fits = (/** @type {Variable} */ variable) =>
            variable.name === name && (type === null ? variable.type === '' || variable.type === 'list' : variable.type === type);
        for (const target of this.vm.runtime.targets) {
            if (!target.isOriginal || !owns(target)) continue;
            const found = Object.values(target.variables).find(fits);
            if (found) return found;
        }
        const kind = type === 'list' ? 'list' : 'variable';
        throw new Unmet(`there is no ${kind} named ${name}${owner === undefined ? '' : ` of ${owner}`}`);
    }
}

module.exports = {Data, History};
