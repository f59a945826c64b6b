// @ts-check
// What the program says, thinks and asks, as a player sees it: bubbles as they come and go. A text that another one
// replaces within the same tick is on no screen, so it counts as little as one that was never there.

/** Where the VM keeps a sprite's bubble. */
const BUBBLE = 'Scratch.looks';

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{sprite: string, type: string, text: any, tick: number, ticks: number, over: boolean}} Bubble a text as the
 *     program gave it ('say' or 'think'), the tick in which the bubble came, from 0, the number of ticks for which it
 *     has stayed, and whether it has gone
 */

/** Records speech of one VM. */
class Speech {
    /** @type {Bubble[]} Every bubble that came, seen or not; those of questions are left out. */
    #bubbles = [];
    /** @type {{bubble: Bubble, target: Target, id: any}[]} Bubbles that stay. */
    #open = [];
    /** @type {{text: any, bubble: Bubble | null, target: Target, tick: number} | null} What a sprite was told to show last. */
    #last = null;

    /**
     * @param {import('../types').Vm} vm the VM to listen to
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.ticks = ticks;
        /** @type {string[]} Questions asked. */
        this.questions = [];
        /** Whether an answer box is open. */
        this.waiting = false;
        vm.runtime.on('SAY', (target, type, text) => this.#onBubble(target, type, text));
        vm.runtime.on('QUESTION', question => this.onQuestion(question));
        ticks.observe(tick => this.#look(tick));
    }

    /** @param {string | null} question null closes the answer box */
    onQuestion(question) {
        this.waiting = question !== null;
        if (question !== null) this.questions.push(question === '' ? this.#questionInBubble() : question);
    }

    /** @returns {Bubble[]} what was said for at least a tick, by whomever, oldest first */
    get said() {
        return this.#seen('say');
    }

    /** @returns {Bubble[]} what was thought for at least a tick, by whomever, oldest first */
    get thought() {
        return this.#seen('think');
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {any[]} what it and its clones said so far, for at least a tick, oldest first
     */
    of(sprite) {
        return this.entries(sprite).map(bubble => bubble.text);
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {Bubble[]} the same with ticks and durations
     */
    entries(sprite) {
        return this.said.filter(bubble => bubble.sprite === sprite);
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {Bubble[]} what it and its clones thought so far, for at least a tick, oldest first
     */
    thoughts(sprite) {
        return this.thought.filter(bubble => bubble.sprite === sprite);
    }

    /**
     * Waits until a sprite says something more.
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

    /** @param {string} type @returns {Bubble[]} */
    #seen(type) {
        return this.#bubbles.filter(bubble => bubble.type === type && bubble.ticks > 0);
    }

    /** @param {Target} target @param {string} type @param {any} text */
    #onBubble(target, type, text) {
        const tick = this.ticks.count;
        this.#last = {text, bubble: null, target, tick};
        // An empty text takes the bubble away.
        if (text === '') return;
        const bubble = {sprite: target.sprite.name, type, text, tick, ticks: 0, over: false};
        this.#last.bubble = bubble;
        this.#bubbles.push(bubble);
        this.#open.push({bubble, target, id: target.getCustomState(BUBBLE)?.usageId});
    }

    /**
     * A visible sprite says its question first, and the event that follows is empty; so is a hidden sprite's empty question.
     * @returns {string}
     */
    #questionInBubble() {
        const last = this.#last;
        if (!last || last.tick !== this.ticks.count || !last.target.visible) return '';
        this.#bubbles = this.#bubbles.filter(bubble => bubble !== last.bubble);
        this.#open = this.#open.filter(({bubble}) => bubble !== last.bubble);
        return String(last.text);
    }

    /**
     * The end of "say for seconds" is no event, so bubbles are looked at.
     * @param {number} tick
     */
    #look(tick) {
        this.#open = this.#open.filter(({bubble, target, id}) => {
            const shown = target.getCustomState(BUBBLE);
            // Each text gets an id of its own, so that the same text said again is another bubble.
            bubble.over = !shown || shown.text === '' || shown.usageId !== id;
            if (!bubble.over) bubble.ticks = tick + 1 - bubble.tick;
            return !bubble.over;
        });
    }
}

module.exports = {Speech};
