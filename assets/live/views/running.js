// @ts-check
// An attempt of a run while it goes on: what its agent sees, what it did last, and its model's turns as they come.
import {blob, json, whileVisible} from '../client.js';
import {h, put, say} from '../dom.js';
import {harmless} from '../lib/turns.js';
import {actionLine, age, counted, spaced} from '../lib/words.js';
import {instructionText} from '../parts/instruction.js';
import {Picture} from '../parts/picture.js';
import {Turns} from '../parts/turns.js';

/** @typedef {import('../client.js').Trouble} Trouble */
/** @typedef {import('../types/api').AttemptDetails} AttemptDetails */

/** How long the server may wait for a turn or a call, in milliseconds. */
const WAIT_MS = 20000;
/** Actions that are listed. */
const ACTIONS = 12;

/** @param {import('../types/api').Call} call */
const actionOf = ({call, reply, step}) =>
    h(
        'li',
        {},
        h('span', {class: 'quiet'}, `${step} `),
        harmless(actionLine(call.api, call.args)),
        !reply.success && h('span', {class: 'bad'}, ` ${reply.error?.code ?? 'failed'}`)
    );

/**
 * @param {string} at address of the attempt
 * @param {HTMLElement} crumbs
 * @param {AttemptDetails} first
 * @param {{onTrouble: (trouble: Trouble) => boolean}} frame
 * @returns {import('../types/api').View}
 */
export const runningAttempt = (at, crumbs, first, {onTrouble}) => {
    const stop = new AbortController();
    const picture = new Picture();
    const turns = new Turns(async turn => (await json(`${at}/turns/${turn}/messages`)).messages);
    const facts = h('p', {class: 'quiet'});
    const actions = h('ol', {class: 'actions'});
    const status = h('p', {class: 'sr', role: 'status'});
    const seen = {version: 0, picture: -1, calls: -1};

    /** @param {AttemptDetails} details @param {AbortSignal} signal */
    const show = async ({record, calls}, signal) => {
        put(facts, [[record.mode && `${record.mode} mode`, counted(record.steps, 'step'), `${age(record.acting_s)} acting`, 'in progress'].filter(Boolean).join(' · ')]);
        const last = calls.findLastIndex(call => call.picture);
        if (last >= 0 && last !== seen.picture) {
            await picture.show(await blob(`${at}/pictures/${last}`, signal), `The editor at step ${calls[last].step}`);
            picture.setElements(calls[last].reply.data?.elements ?? []);
            seen.picture = last;
        } else if (last < 0) picture.clear('No picture so far.');
        if (calls.length === seen.calls) return;
        const acts = calls.filter(({call}) => !['observe', 'block_catalogue', 'screenshot'].includes(call.api));
        put(actions, acts.length ? acts.slice(-ACTIONS).reverse().map(actionOf) : [h('li', {class: 'quiet'}, 'None yet.')]);
        if (seen.calls >= 0) say(status, counted(acts.length, 'action'));
        seen.calls = calls.length;
    };

    whileVisible(
        stop.signal,
        async signal => {
            const after = turns.turns.length ? turns.turns[turns.turns.length - 1].turn : 0;
            const page = await json(`${at}/turns?after=${after}&version=${seen.version}&wait_ms=${seen.version ? WAIT_MS : 0}`, signal);
            turns.add(page.turns);
            if (page.complete) {
                // The view is made anew, as that of an attempt to go through.
                window.dispatchEvent(new HashChangeEvent('hashchange'));
                return stop.abort();
            }
            if (page.version === seen.version) return;
            await show(await json(at, signal), signal);
            seen.version = page.version;
        },
        trouble => {
            if (trouble.status !== 404) return onTrouble(trouble);
            say(facts, 'The attempt was broken off. This is its last state.');
            return false;
        }
    );
    const title = `${spaced(first.record.task)}, try ${first.record.attempt}`;
    const root = h(
        'div',
        {},
        crumbs,
        h('div', {class: 'title'}, h('h1', {tabindex: -1}, title), h('span', {class: 'outcome in_progress'}, 'in progress')),
        facts,
        status,
        instructionText(first.instruction),
        h('div', {class: 'columns'}, h('div', {class: 'main-column'}, picture.root), h('div', {class: 'side-column'}, turns.root, h('section', {class: 'panel'}, h('h2', {}, 'Last actions'), actions)))
    );
    const end = () => {
        stop.abort();
        picture.stop();
    };
    return {title, root, stop: end};
};
