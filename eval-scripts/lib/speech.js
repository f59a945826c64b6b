// @ts-check
// What the program says and asks, as it happens, and how long its bubbles stay.

/** Where the VM keeps a sprite's bubble. */
const BUBBLE = 'Scratch.looks';

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{sprite: string, type: string, text: any, tick: number, ticks: number, over: boolean}} Said a text as the
 *     program gave it ('say' or 'think'), the tick in which the bubble came, from 0, the number of ticks for which it
 *     has stayed, and whether it has gone
 */

/** Records speech of one VM. */
class Speech {
    /** @type {{entry: Said, target: Target, id: any}[]} Bubbles that stay. */
    #open = [];

    /**
     * @param {import('../types').Vm} vm the VM to listen to
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.ticks = ticks;
        /** @type {Said[]} Everything said or thought, questions left out. */
        this.said = [];
        /** @type {string[]} Questions asked. */
        this.questions = [];
        /** Whether an answer box is open. */
        this.waiting = false;
        vm.runtime.on('SAY', (target, type, text) => this.#onSay(target, type, text));
        vm.runtime.on('QUESTION', question => this.onQuestion(question));
        ticks.observe(tick => this.#look(tick));
    }

    /** @param {string | null} question null closes the answer box */
    onQuestion(question) {
        this.waiting = question !== null;
        if (question === null) return;
        // A visible sprite says its question first, and the event that follows is empty.
        const asked = question === '' ? this.said.pop() : {text: question};
        this.questions.push(asked ? String(asked.text) : '');
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {any[]} what it and its clones said or thought so far, oldest first
     */
    of(sprite) {
        return this.entries(sprite).map(entry => entry.text);
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {Said[]} the same with ticks and durations
     */
    entries(sprite) {
        return this.said.filter(entry => entry.sprite === sprite);
    }

    /**
     * Waits until a sprite says or thinks something more.
     * @param {string} sprite a sprite's name
     * @param {number} ms how long to wait, in milliseconds of project time
     * @param {number} [before] how many of its texts are old: all that there are unless said otherwise. An input gives the
     *     program time to react, so what follows from it may have been said already: count before the input
     * @returns {Promise<any>} what it says; the case fails when the time is over
     */
    async next(sprite, ms, before = this.of(sprite).length) {
        await this.ticks.until(`${sprite} said something`, () => this.of(sprite).length > before, ms);
        return this.of(sprite)[before];
    }

    /** @param {Target} target @param {string} type @param {any} text */
    #onSay(target, type, text) {
        // An empty text takes the bubble away.
        if (text === '') return;
        const entry = {sprite: target.sprite.name, type, text, tick: this.ticks.count, ticks: 0, over: false};
        this.said.push(entry);
        this.#open.push({entry, target, id: target.getCustomState(BUBBLE)?.usageId});
    }

    /**
     * The end of "say for seconds" is no event, so bubbles are looked at.
     * @param {number} tick
     */
    #look(tick) {
        this.#open = this.#open.filter(({entry, target, id}) => {
            const bubble = target.getCustomState(BUBBLE);
            // Each text gets an id of its own, so that the same text said again is another bubble.
            entry.over = !bubble || bubble.text === '' || bubble.usageId !== id;
            if (!entry.over) entry.ticks = tick + 1 - entry.tick;
            return !entry.over;
        });
    }
}

module.exports = {Speech};
