// @ts-check
// One living session: its picture, its program, its log, its last actions.
import {blob, json, whileVisible} from '../client.js';
import {h, put, say} from '../dom.js';
import {age, counted, moment} from '../lib/words.js';
import {instructionOf} from '../parts/instruction.js';
import {SessionLog} from '../parts/log.js';
import {Picture} from '../parts/picture.js';
import {ProgramText} from '../parts/program.js';

/** How long the server may wait for a change, in milliseconds. */
const WAIT_MS = 20000;

/** @typedef {import('../types/api').Watched} Watched */

/** @param {string} id @param {import('../client.js').Trouble} trouble */
const unknown = (id, {status, message, hint}) =>
    h(
        'div',
        {role: 'alert'},
        h('p', {class: 'crumbs'}, h('a', {href: '#/sessions'}, 'Sessions')),
        h('h1', {tabindex: -1}, status === 410 ? 'This session has ended' : 'No such session'),
        h('p', {}, message, hint && ` (${hint})`),
        h('p', {class: 'quiet'}, `Its id is ${id}. A server started with --record-dir keeps the logs of ended sessions; `, h('code', {}, 'scratchbed log show'), ' reads it.')
    );

/**
 * @param {string} id
 * @param {{onTrouble: (trouble: import('../client.js').Trouble) => boolean}} frame
 * @returns {import('../types/api').View}
 */
export const sessionView = (id, {onTrouble}) => {
    const stop = new AbortController();
    const at = `/sessions/${encodeURIComponent(id)}/live`;
    const heading = h('h1', {tabindex: -1}, 'Session');
    const state = h('span', {class: 'state'});
    const facts = h('p', {class: 'quiet'});
    const status = h('p', {class: 'sr', role: 'status'});
    const task = h('div');
    const program = new ProgramText();
    const log = new SessionLog(id, stop.signal);
    let boxes = false;
    let turn = new AbortController();
    const picture = new Picture({
        onBoxes: on => {
            boxes = on;
            // What is waited for is another thing now.
            have.version = 0;
            turn.abort();
        }
    });
    const have = {version: 0, picture: '', program: '', calls: -1};

    /** @param {Watched} watched @param {AbortSignal} signal */
    const show = async (watched, signal) => {
        const {session, running, busy} = watched;
        if (have.version === 0 && !task.hasChildNodes()) put(task, [instructionOf(session.task)]);
        say(heading, session.task ?? 'Session without a task');
        const doing = busy ? 'acting' : running ? 'running' : session.idle_s < 10 ? 'active' : 'idle';
        say(state, doing);
        state.className = `state ${doing}`;
        put(facts, [`${counted(watched.calls, 'call')} · ${age(Date.now() / 1000 - session.created_at)} old · editing ${watched.editing_target} · picture of ${moment(watched.taken_at).slice(11)}`]);
        if (watched.picture !== have.picture) {
            await picture.show(await blob(`${at}/picture`, signal), `The editor of session ${session.id.slice(0, 8)}, ${watched.editing_target} being edited`);
            have.picture = watched.picture;
        }
        picture.setPointer(watched.pointer);
        if (watched.elements) picture.setElements(watched.elements);
        if (watched.program !== have.program) {
            program.show(await json(`${at}/program`, signal), watched.editing_target);
            have.program = watched.program;
        }
        if (watched.calls !== have.calls && have.calls >= 0) say(status, counted(watched.calls, 'call'));
        have.calls = watched.calls;
        have.version = watched.version;
    };

    whileVisible(
        stop.signal,
        async signal => {
            turn = new AbortController();
            const both = AbortSignal.any([signal, turn.signal]);
            try {
                await show(await json(`${at}?after=${have.version}&wait_ms=${WAIT_MS}&elements=${boxes}`, both), both);
            } catch (error) {
                if (!turn.signal.aborted) throw error;
            }
        },
        trouble => {
            if (trouble.status !== 404 && trouble.status !== 410) return onTrouble(trouble);
            if (have.calls < 0) {
                // Nothing of it was ever seen here: there is no last state to show.
                stop.abort();
                put(root, [unknown(id, trouble)]);
                return false;
            }
            say(state, 'ended');
            state.className = 'state ended';
            stop.abort();
            say(status, 'The session has ended.');
            put(facts, ['The session has ended. This is its last state.']);
            return false;
        }
    );
    const root = h(
        'div',
        {class: 'session'},
        h('p', {class: 'crumbs'}, h('a', {href: '#/sessions'}, 'Sessions')),
        h('div', {class: 'title'}, heading, state),
        facts,
        status,
        task,
        h('div', {class: 'columns'}, h('div', {class: 'main-column'}, picture.root, log.root), h('div', {class: 'side-column'}, log.actionsRoot, program.root))
    );
    const end = () => {
        stop.abort();
        picture.stop();
    };
    return {title: 'Session', root, stop: end};
};
