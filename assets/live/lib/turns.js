// @ts-check
// A model's turns in words. What a model wrote may hold anything; here it becomes harmless text. Nothing here touches the page.
import {counted, duration, grouped} from './words.js';

/** @typedef {import('../types/api').Turn} Turn */
/** @typedef {import('../types/api').ShownText} ShownText */

/** Signs that turn the direction of writing, so that a text reads as another one. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Where Unicode has pictures of control characters, and that of the last one. */
const [PICTURES, DELETE] = [0x2400, '\u2421'];

/**
 * @param {string} text
 * @returns {string} with a visible sign for each control character other than line ends and tabs, so that no terminal that it is
 *   copied into obeys it, and for each sign that turns the direction of writing
 */
export const harmless = text => {
    let out = '';
    for (const letter of text.replace(/\r\n/g, '\n')) {
        const code = letter.charCodeAt(0);
        if (code === 0x7f) out += DELETE;
        else if (code < 0x20 && letter !== '\n' && letter !== '\t') out += String.fromCharCode(PICTURES + code);
        else out += code >= 0x80 && code < 0xa0 ? '\ufffd' : letter;
    }
    return out.replace(TURNING, '\ufffd');
};

/** @param {ShownText} shown @returns {string} what is said of a text that is not shown whole; nothing of others */
export const cutNote = ({left_out}) => (left_out > 0 ? `${counted(left_out, 'more character')} not shown here.` : '');

/** @param {number | null} micro millionths of a dollar @returns {string} such as `$0.0123` */
export const dollars = micro => (micro === null ? 'cost unknown' : `$${(micro / 1e6).toFixed(micro >= 1e6 ? 2 : 4)}`);

/** @param {Turn} turn @returns {string} tokens, time and cost */
export const usageLine = ({tokens, seconds, waited_s, tries, micro_usd, error}) => {
    const parts = [];
    if (tokens) {
        const [cached, thought] = [tokens.cached_tokens, tokens.reasoning_tokens];
        parts.push(`${grouped(tokens.input_tokens)} tokens in${cached ? ` (${grouped(cached)} cached)` : ''}`);
        parts.push(`${grouped(tokens.output_tokens)} out${thought ? ` (${grouped(thought)} reasoning)` : ''}`);
    }
    parts.push(`${duration(seconds * 1000)}${waited_s >= 0.05 ? `, ${duration(waited_s * 1000)} of them waiting` : ''}`);
    if (tries > 1) parts.push(counted(tries, 'request'));
    if (error === null) parts.push(dollars(micro_usd));
    return parts.join(' · ');
};

/** @param {Turn} turn @returns {'call' | 'fault' | 'error'} what came of it */
export const kindOf = ({call, error}) => (call ? 'call' : error !== null ? 'error' : 'fault');

/** @param {Turn[]} turns @param {number} step @returns {number} the place of the step's last turn, -1 without one */
export const turnOf = (turns, step) => turns.findLastIndex(turn => turn.step === step);

/** @param {Turn[]} known @param {Turn[]} more @returns {Turn[]} both, each turn once */
export const joined = (known, more) => {
    const last = known.length ? known[known.length - 1].turn : 0;
    return [...known, ...more.filter(({turn}) => turn > last)];
};
