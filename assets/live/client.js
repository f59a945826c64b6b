// @ts-check
// Talking to the server this page came from. The token, where one is needed, stays in this tab's session.

const KEY = 'scratchbed.token';

/** An error reply, or no reply at all. */
export class Trouble extends Error {
    /**
     * @param {number} status 0 when there was no reply
     * @param {string} code
     * @param {string} detail
     * @param {string} [hint]
     */
    constructor(status, code, detail, hint) {
        super(detail);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    /** Whether a token, or another one, would help. */
    get wantsToken() {
        return this.status === 401 || this.code === 'judge_token_required' || this.code === 'scope_required' || this.code === 'token_required';
    }
}

export const token = {
    /** @returns {string | null} */
    get: () => sessionStorage.getItem(KEY),
    /** @param {string | null} value null forgets it */
    set: value => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY))
};

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @param {string} [method]
 * @param {object} [body] sent as JSON
 * @returns {Promise<Response>}
 */
export const ask = async (path, signal, method = 'GET', body) => {
    const known = token.get();
    /** @type {Record<string, string>} */
    const headers = known ? {authorization: `Bearer ${known}`} : {};
    if (body) headers['content-type'] = 'application/json';
    let reply;
    try {
        reply = await fetch(path, {method, headers, body: body && JSON.stringify(body), signal, cache: 'no-store', credentials: 'omit', redirect: 'error'});
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Trouble(0, 'no_reply', 'The server does not answer.', 'The page retries automatically.');
    }
    if (reply.ok) return reply;
    const problem = await reply.json().catch(() => ({}));
    throw new Trouble(reply.status, problem.code ?? 'unknown', problem.detail ?? reply.statusText, problem.hint);
};

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export const json = async (path, signal) => (await ask(path, signal)).json();

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const blob = async (path, signal) => (await ask(path, signal)).blob();

/**
 * Asks for something to be done.
 * @param {string} path
 * @param {object} [body] sent as JSON
 * @returns {Promise<any>}
 */
export const send = async (path, body) => (await ask(path, undefined, 'POST', body)).json();

/**
 * @param {string} path
 * @returns {Promise<Blob | 'later' | 'never'>} later while it is not made yet
 */
export const blobWhenMade = async path => {
    const reply = await ask(path);
    if (reply.status === 202) return 'later';
    return reply.status === 204 ? 'never' : reply.blob();
};

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>} also done when the signal is given
 */
export const pause = (ms, signal) =>
    new Promise(done => {
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            done();
        });
    });

/** @returns {Promise<void>} done at once in a visible tab, and when a hidden one is shown */
const visible = () =>
    new Promise(done => {
        if (!document.hidden) return done();
        const shown = () => {
            if (document.hidden) return;
            document.removeEventListener('visibilitychange', shown);
            done();
        };
        document.addEventListener('visibilitychange', shown);
    });

/**
 * Does something over and over while the tab is visible; a request in flight is broken off when the tab is hidden.
 * Troubles are told and followed by a pause that grows.
 * @param {AbortSignal} stop
 * @param {(signal: AbortSignal) => Promise<unknown>} turn
 * @param {(trouble: Trouble) => boolean} onTrouble true to go on
 */
export const whileVisible = async (stop, turn, onTrouble) => {
    let wait = 1000;
    while (!stop.aborted) {
        await visible();
        const inner = new AbortController();
        const end = () => inner.abort();
        const hide = () => document.hidden && inner.abort();
        stop.addEventListener('abort', end);
        document.addEventListener('visibilitychange', hide);
        try {
            await turn(inner.signal);
            wait = 1000;
        } catch (error) {
            if (stop.aborted || inner.signal.aborted) continue;
            if (!(error instanceof Trouble)) throw error;
            if (!onTrouble(error)) return;
            await pause(wait, inner.signal);
            wait = Math.min(wait * 2, 15000);
        } finally {
            stop.removeEventListener('abort', end);
            document.removeEventListener('visibilitychange', hide);
        }
    }
};
