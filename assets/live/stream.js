// @ts-check
// A stream of changes from the server, with the token of this tab, which `EventSource` can't send.
import {Trouble, ask} from './client.js';
import {Messages} from './lib/sse.js';

/** A stream of which nothing was heard for so long, in milliseconds, is broken: the server sends a sign of life more often. */
const SILENCE_MS = 40000;

/**
 * Reads a stream of events to its end.
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {{onOpen: () => void, onMessage: (message: import('./lib/sse.js').Message) => void}} on told when it has begun, and each event
 * @returns {Promise<void>}
 */
export const stream = async (path, signal, {onOpen, onMessage}) => {
    const silent = new AbortController();
    const reply = await ask(path, AbortSignal.any([signal, silent.signal]));
    onOpen();
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    const messages = new Messages();
    const next = async () => {
        const timer = setTimeout(() => silent.abort(), SILENCE_MS);
        try {
            return await reader?.read();
        } catch (error) {
            if (signal.aborted) throw error;
            throw new Trouble(0, 'stream_broken', 'The stream of changes broke off.', 'The page retries automatically.');
        } finally {
            clearTimeout(timer);
        }
    };
    for (let piece = await next(); piece && !piece.done; piece = await next()) messages.push(piece.value).forEach(onMessage);
};
