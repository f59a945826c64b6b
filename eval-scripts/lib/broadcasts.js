// @ts-check
// Messages: which ones the program sends and when, and sending one to it.

const {Unmet} = require('./expect.js');
const {REACTION} = require('./keys.js');

/** The hat that receives messages; starting it is what sending means to the VM. */
const RECEIVER = 'event_whenbroadcastreceived';

/**
 * @typedef {{name: string, tick: number}} Sent a message as it was written, and the tick in which it was sent, from 0
 */

/**
 * @param {string} a
 * @param {string} b
 * @returns {boolean} whether hats take them for the same message: case does not count
 */
const sameMessage = (a, b) => a.toUpperCase() === b.toUpperCase();

/** The messages of one running program. */
class Broadcasts {
    #sending = false;

    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
        /** @type {Sent[]} What the program sent, oldest first; what `send` sent is left out. */
        this.sent = [];
        const {runtime} = vm;
        const startHats = runtime.startHats;
        // The VM calls it once for each message, "and wait" or not, heard or not.
        runtime.startHats = (...args) => {
            const [opcode, fields] = args;
            // The VM changes the name in place, so it is read first.
            if (opcode === RECEIVER && fields && !this.#sending) {
                this.sent.push({name: fields.BROADCAST_OPTION, tick: ticks.count});
            }
            return startHats.apply(runtime, args);
        };
    }

    /**
     * @param {string} name a message; case does not count
     * @returns {Sent[]} each time the program sent it, oldest first
     */
    of(name) {
        return this.sent.filter(sent => sameMessage(sent.name, name));
    }

    /**
     * Sends a message as a broadcast block would, and gives the program time to react. It fails the case when the
     * program has no such message.
     * @param {string} name case does not count
     */
    async send(name) {
        this.ticks.mustGoOn();
        const stage = this.vm.runtime.targets.find(target => target.isStage);
        const known = Object.values(stage?.variables || {}).filter(variable => variable.type === 'broadcast_msg');
        const message = known.find(variable => sameMessage(variable.name, name));
        if (!message) throw new Unmet(`there is no message named ${name}`);
        this.#sending = true;
        try {
            this.vm.runtime.startHats(RECEIVER, {BROADCAST_OPTION: message.name});
        } finally {
            this.#sending = false;
        }
        await this.ticks.pass(REACTION);
    }

    /**
     * Waits until the program sends a message once more.
     * @param {string} name case does not count
     * @param {number} ms how long to wait, in milliseconds of project time
     * @param {number} [before] how many times it was sent before: as often as it was until now unless said otherwise.
     *     An input gives the program time to react, so count before the input
     * @returns {Promise<void>} fails the case when the time is over
     */
    next(name, ms, before = this.of(name).length) {
        return this.ticks.until(`${name} was broadcast`, () => this.of(name).length > before, ms);
    }
}

module.exports = {Broadcasts, sameMessage};
