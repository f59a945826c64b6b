// @ts-check
// Which statements of a program ran, and which of its hats: by sprite and block, clones counted with their sprite.

/** @typedef {Record<string, string[]>} Covered ids of blocks by the names of sprites */

/** What comparing the pixels of sprites takes, in blocks: half a millisecond, where a block takes 50 nanoseconds (measured). */
const PIXELS = 10000;

/** Notes what one program runs. */
class Coverage {
    /** @type {Map<string, Set<string>>} */
    #seen = new Map();

    /** Blocks that ran, those of monitors included. */
    #blocks = 0;

    /**
     * @param {any} vm a loaded program of which nothing ran: the VM keeps the functions of blocks that it has run
     * @param {() => number} comparedPixels how often pixels were compared so far
     */
    constructor({runtime}, comparedPixels) {
        this.comparedPixels = comparedPixels;
        this.comparedBefore = comparedPixels();
        for (const opcode in runtime._primitives) {
            const block = runtime._primitives[opcode];
            runtime._primitives[opcode] = (/** @type {any} */ args, /** @type {any} */ util) => {
                this.#blocks += 1;
                const {thread} = util;
                if (thread && !thread.updateMonitor) this.#note(thread.target, thread.peekStack());
                return block(args, util);
            };
        }
        const push = runtime._pushThread;
        runtime._pushThread = (/** @type {any[]} */ ...args) => {
            const [id, target, how] = args;
            // Monitors show values; they are no part of the program.
            if (!how?.updateMonitor) this.#note(target, id);
            return push.apply(runtime, args);
        };
    }

    /** @param {any} target @param {string | null} id of the statement, also of the one whose slots are being filled */
    #note(target, id) {
        if (!target || !id) return;
        const {name} = target.sprite;
        let ids = this.#seen.get(name);
        if (!ids) this.#seen.set(name, (ids = new Set()));
        ids.add(id);
    }

    /** What the program took, in blocks: the same on every machine. @returns {number} */
    get work() {
        return this.#blocks + PIXELS * (this.comparedPixels() - this.comparedBefore);
    }

    /** @returns {Covered} */
    covered() {
        return Object.fromEntries([...this.#seen].map(([name, ids]) => [name, [...ids].sort()]));
    }
}

module.exports = {Coverage};
