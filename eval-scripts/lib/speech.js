// @ts-check
// What the program says, thinks and asks, as a player sees it: bubbles as they come and go. A text that another one
// replaces within the same tick is on no screen, so it counts as little as one that was never there. Nor does a text count
// while a player can't see whose it is: Scratch takes the bubble of a hidden sprite away until it shows again, and the one of a
// sprite that is transparent, too small or off the stage hangs over nothing.

const {isThere} = require('./seen.js');

/** Where the VM keeps a sprite's bubble. */
const BUBBLE = 'Scratch.looks';

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{sprite: string, type: string, text: any, tick: number, ticks: number, over: boolean}} Bubble a text as the
 *     program gave it ('say' or 'think'), the tick in which it was first seen, from 0, the number of ticks in which it
 *     was seen, those left out in which its speaker could not be, and whether it has gone
 */

/**
 * @param {{target: Target, id: any}} shown where a text was shown
 * @returns {boolean} whether it has gone. Each text gets an id of its own, so that the same text said again is another one
 */
const isOver = ({target, id}) => {
    const now = target.getCustomState(BUBBLE);
    return !now || now.text === '' || now.usageId !== id;
};

/** Records speech of one VM. */
class Speech {
    /** @type {Bubble[]} Every bubble that was seen, as they came into sight; those of questions are left out. */
    #bubbles = [];
    /** @type {{bubble: Bubble, target: Target, id: any}[]} Bubbles that stay, seen or not. */
    #open = [];
    /** @type {{text: any, bubble: Bubble | null, target: Target, tick: number} | null} What a sprite was told to show last. */
    #last = null;
    /** @type {{text: string, target: Target, id: any} | null} The open question if it stands in a bubble, until that is seen. */
    #asked = null;

    /**
     * @param {import('../types').Vm} vm the VM to listen to
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.ticks = ticks;
        /** @type {string[]} Questions asked, each once it was seen: in a bubble, or in the answer box. */
        this.questions = [];
        /** Whether an answer box is open, whatever is seen of its question. */
        this.waiting = false;
        vm.runtime.on('SAY', (target, type, text) => this.#onBubble(target, type, text));
        vm.runtime.on('QUESTION', question => this.onQuestion(question));
        vm.runtime.on('targetWasRemoved', target => this.#onRemoved(target));
        ticks.observe(tick => this.#look(tick));
    }

    /** @param {string | null} question null closes the answer box */
    onQuestion(question) {
        this.waiting = question !== null;
        this.#asked = question === '' ? this.#questionInBubble() : null;
        // The stage and hidden sprites ask in the answer box itself, which everybody sees.
        if (question !== null && !this.#asked) this.questions.push(question);
    }

    /** @returns {Bubble[]} what was seen to be said for at least a tick, by whomever, oldest first */
    get said() {
        return this.#bubbles.filter(({type}) => type === 'say');
    }

    /** @returns {Bubble[]} what was seen to be thought for at least a tick, by whomever, oldest first */
    get thought() {
        return this.#bubbles.filter(({type}) => type === 'think');
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

    /** @param {Target} target @param {string} type @param {any} text */
    #onBubble(target, type, text) {
        const tick = this.ticks.count;
        this.#last = {text, bubble: null, target, tick};
        // An empty text takes the bubble away.
        if (text === '') return;
        const bubble = {sprite: target.sprite.name, type, text, tick, ticks: 0, over: false};
        this.#last.bubble = bubble;
        this.#open.push({bubble, target, id: target.getCustomState(BUBBLE)?.usageId});
    }

    /**
     * A visible sprite says its question first, and the event that follows is empty; so is a hidden sprite's empty question.
     * @returns {{text: string, target: Target, id: any} | null} null when the question is empty
     */
    #questionInBubble() {
        const last = this.#last;
        if (!last || !last.bubble || last.tick !== this.ticks.count || !last.target.visible) return null;
        this.#open = this.#open.filter(({bubble}) => bubble !== last.bubble);
        const {text, target} = last;
        return {text: String(text), target, id: target.getCustomState(BUBBLE)?.usageId};
    }

    /**
     * The VM keeps the text of a clone that it deletes, and shows it no more.
     * @param {Target} removed
     */
    #onRemoved(removed) {
        for (const {bubble, target} of this.#open) if (target === removed) bubble.over = true;
        this.#open = this.#open.filter(({target}) => target !== removed);
        if (this.#asked?.target === removed) this.#asked = null;
    }

    /**
     * The end of "say for seconds" is no event, and nor is it when a speaker hides, so bubbles are looked at.
     * @param {number} tick
     */
    #look(tick) {
        if (this.#asked && !isOver(this.#asked) && isThere(this.#asked.target)) {
            this.questions.push(this.#asked.text);
            this.#asked = null;
        }
        this.#open = this.#open.filter(one => {
            const {bubble, target} = one;
            bubble.over = isOver(one);
            if (!bubble.over && isThere(target)) this.#see(bubble, tick);
            return !bubble.over;
        });
    }

    /** @param {Bubble} bubble @param {number} tick in which it is seen */
    #see(bubble, tick) {
        if (bubble.ticks === 0) {
            bubble.tick = tick;
            this.#bubbles.push(bubble);
        }
        bubble.ticks += 1;
    }
}

module.exports = {Speech};
