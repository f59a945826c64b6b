// @ts-check
// The messages of a project: their ids, and who sends and who receives them.
const {nearest} = require('../../shared/lib/nearest');

/**
 * @typedef {import('../../types/notation').FaultBook} FaultBook
 * @typedef {Map<string, {name: string, lines: number[]}>} Places
 */

/** @param {Places} places @param {string} name @param {number} line notes a use; the machine compares messages without regard to case */
const add = (places, name, line) => {
    const key = name.toUpperCase();
    const known = places.get(key) ?? {name, lines: []};
    known.lines.push(line);
    places.set(key, known);
};

/** @param {string} name @param {Places} others @returns {string | undefined} the nearest of their names */
const advice = (name, others) => {
    const near = nearest(name, [...others.values()].map(each => each.name));
    return near === null ? undefined : `did you mean "${near}"?`;
};

/** @returns {import('../../types/notation').MessageBook} no messages yet */
const messageBook = () => {
    /** @type {Map<string, string>} */
    const messages = new Map();
    /** @type {Places} */
    const sent = new Map();
    /** @type {Places} */
    const received = new Map();
    let computed = false;
    /** @param {string} name @returns {string} its id */
    const broadcast = name => {
        const id = `t0.broadcast.${encodeURIComponent(name)}`;
        messages.set(name, id);
        return id;
    };
    return {
        messages,
        broadcast,
        anyBroadcast: () => messages.values().next().value ?? broadcast('message1'),
        used: (name, isReceived, line) => add(isReceived ? received : sent, name, line),
        sendsComputed: () => void (computed = true),
        warn: (/** @type {FaultBook} */ book) => {
            for (const [key, {name, lines}] of sent) {
                if (!received.has(key)) book.warn(lines[0], 'message_not_received', `nothing receives the message "${name}"`, advice(name, received));
            }
            // Which message a reporter makes is known only when the program runs.
            for (const [key, {name, lines}] of computed ? [] : received) {
                if (!sent.has(key)) book.warn(lines[0], 'message_not_sent', `nothing sends the message "${name}"`, advice(name, sent));
            }
        }
    };
};

module.exports = {messageBook};
