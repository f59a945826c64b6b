// @ts-check
// The turns of an attempt's model: one of them in full, with its reasoning and the messages that were sent folded away.
import {Trouble} from '../client.js';
import {h, put, say} from '../dom.js';
import {cutNote, harmless, joined, kindOf, turnOf, usageLine} from '../lib/turns.js';
import {counted, shown} from '../lib/words.js';

/** @typedef {import('../types/api').Turn} Turn */
/** @typedef {import('../types/api').ShownText} ShownText */
/** @typedef {import('../types/api').TurnMessage} TurnMessage */

/** Letters of a call that are shown. */
const CALL = 2000;

/** @param {string} name @param {ShownText} text @returns {HTMLElement} */
const passage = (name, text) => {
    const note = cutNote(text);
    const body = h('pre', {class: 'said', tabindex: 0, role: 'region', 'aria-label': name}, harmless(text.text) || '(empty)');
    return h('div', {}, body, note && h('p', {class: 'quiet'}, note));
};

/** @param {Turn} turn @returns {HTMLElement} what came of it */
const outcomeOf = ({call, fault, error, is_cut, is_filtered}) => {
    const why = [is_cut && 'cut off at the longest length', is_filtered && 'held back by the provider’s filter'].filter(Boolean).join(', ');
    const more = why && h('span', {class: 'bad'}, ` The answer was ${why}.`);
    if (call) return h('p', {}, h('b', {}, 'Call '), h('code', {}, harmless(`${call.api} ${shown(call.args, CALL)}`)), more);
    if (error !== null) return h('p', {class: 'bad'}, h('b', {}, 'No answer '), harmless(error));
    return h('p', {class: 'bad'}, h('b', {}, 'No call '), harmless(fault ?? 'none was read'), more);
};

/** @param {TurnMessage} message */
const messageOf = ({role, text, reasoning, picture}) =>
    h(
        'li',
        {},
        h('p', {class: 'quiet'}, h('b', {}, role), picture && ' with a picture'),
        reasoning && passage(`Reasoning before a message of ${role}`, reasoning),
        passage(`Message of ${role}`, text)
    );

/** The panel. It is hidden while there are no turns. */
export class Turns {
    /**
     * @param {((turn: number) => Promise<TurnMessage[]>) | null} messages null where they are not to be had
     * @param {(turn: Turn) => void} [onChoice] told when the person goes to another turn
     */
    constructor(messages, onChoice = () => {}) {
        this.messages = messages;
        this.onChoice = onChoice;
        /** @type {Turn[]} */
        this.turns = [];
        this.index = -1;
        /** What is unfolded stays so from turn to turn. */
        this.open = {reasoning: false, messages: false};
        this.place = h('span', {class: 'place'});
        this.earlier = h('button', {type: 'button', onclick: () => this.choose(this.index - 1)}, 'Earlier turn');
        this.later = h('button', {type: 'button', onclick: () => this.choose(this.index + 1)}, 'Later turn');
        this.body = h('div', {class: 'turn'});
        this.status = h('p', {class: 'sr', role: 'status'});
        const head = h('div', {class: 'title'}, h('h2', {}, 'The model’s turn'), this.place);
        const moves = h('div', {class: 'turn-moves', role: 'group', 'aria-label': 'Turns'}, this.earlier, this.later);
        this.root = h('section', {class: 'panel turns', hidden: true}, head, moves, this.body, this.status);
    }

    /** Adds what has come since; who looks at the newest one goes on doing so. @param {Turn[]} more */
    add(more) {
        const atEnd = this.index === this.turns.length - 1;
        const before = this.turns.length;
        this.turns = joined(this.turns, more);
        this.root.hidden = this.turns.length === 0;
        if (this.turns.length === before) return;
        if (atEnd) this.go(this.turns.length - 1);
        else this.tell();
    }

    /** @param {number} step */
    showStep(step) {
        const index = turnOf(this.turns, step);
        if (index >= 0) this.go(index);
        else if (this.turns.length) this.none();
    }

    /** The person's own move. @param {number} index */
    choose(index) {
        const turn = this.turns[index];
        if (!turn) return;
        this.go(index);
        this.onChoice(turn);
    }

    /** Where it is, and where it can go. A button that has the focus keeps it at the end too. */
    tell() {
        const turn = this.turns[this.index];
        say(this.place, turn ? `${turn.turn} / ${this.turns.length}` : `– / ${this.turns.length}`);
        this.earlier.setAttribute('aria-disabled', String(this.index <= 0));
        this.later.setAttribute('aria-disabled', String(this.index >= this.turns.length - 1));
    }

    /** There is none for what is shown beside it. */
    none() {
        this.index = this.turns.length - 1;
        this.tell();
        say(this.place, `– / ${this.turns.length}`);
        put(this.body, [h('p', {class: 'quiet'}, 'The model was not asked about this step.')]);
    }

    /** @param {number} index */
    go(index) {
        this.index = index;
        const turn = this.turns[index];
        this.tell();
        const words = {call: 'a call was read', fault: 'no call was read', error: 'no answer came'}[kindOf(turn)];
        say(this.status, `Turn ${turn.turn}, step ${turn.step}: ${words}`);
        put(this.body, [
            h('p', {class: 'quiet'}, `Step ${turn.step} · ${usageLine(turn)}${turn.model ? ` · ${harmless(turn.model)}` : ''}`),
            outcomeOf(turn),
            turn.answer && passage('Answer', turn.answer),
            turn.reasoning && this.fold('reasoning', 'Reasoning', () => [passage('Reasoning', /** @type {ShownText} */ (turn.reasoning))]),
            this.messages && this.fold('messages', counted(turn.messages, 'message') + ' sent', box => this.load(turn, box))
        ]);
    }

    /**
     * @param {'reasoning' | 'messages'} name
     * @param {string} label
     * @param {(box: HTMLElement) => HTMLElement[]} fill called when it is first unfolded
     */
    fold(name, label, fill) {
        const box = h('div');
        const details = h('details', {open: this.open[name]}, h('summary', {}, label), box);
        details.addEventListener('toggle', () => {
            this.open[name] = details.open;
            if (details.open && !box.hasChildNodes()) put(box, fill(box));
        });
        return details;
    }

    /** @param {Turn} turn @param {HTMLElement} box @returns {HTMLElement[]} what stands there meanwhile */
    load(turn, box) {
        const fetched = async () => {
            try {
                const messages = (await this.messages?.(turn.turn)) ?? [];
                put(box, [h('ol', {class: 'messages'}, ...messages.map(messageOf))]);
            } catch (error) {
                if (!(error instanceof Trouble)) throw error;
                put(box, [h('p', {class: 'bad'}, error.message)]);
            }
        };
        void fetched();
        return [h('p', {class: 'quiet'}, 'Loading …')];
    }
}
