// @ts-check
// Reading server-sent events from text that comes in pieces. `EventSource` can't send a token. Nothing here touches the page.

/** @typedef {{event: string, id: string, data: string}} Message */

/** @param {string} block the lines of one message @returns {Message | null} null for one without data, such as a sign of life */
const messageOf = block => {
    const message = {event: 'message', id: '', data: /** @type {string | null} */ (null)};
    for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        if (colon === 0) continue;
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'event') message.event = value;
        else if (field === 'id') message.id = value;
        else if (field === 'data') message.data = message.data === null ? value : `${message.data}\n${value}`;
    }
    return message.data === null ? null : {...message, data: message.data};
};

/** A stream of messages. */
export class Messages {
    constructor() {
        this.rest = '';
    }

    /**
     * @param {string} text the next piece, which may end anywhere
     * @returns {Message[]} those that are complete with it
     */
    push(text) {
        // A piece may end between the two signs of a line's end.
        const all = this.rest + text;
        const held = all.endsWith('\r') ? '\r' : '';
        const blocks = all.slice(0, all.length - held.length).replace(/\r\n?/g, '\n').split('\n\n');
        this.rest = (blocks.pop() ?? '') + held;
        return blocks.map(messageOf).filter(message => message !== null);
    }
}
