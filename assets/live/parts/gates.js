// @ts-check
// Orders that open and close: for the experiment with a button each, for arms and lanes behind one button.
import {h} from '../dom.js';
import {GATES, fits} from '../lib/experiments.js';
import {ask} from './dialog.js';

/** @typedef {import('../types/experiments').Gate} Gate */
/** @typedef {import('../types/experiments').Give} Give */
/** @typedef {{arm?: string, lane?: string}} Of */

/** @type {import('./dialog.js').Field} */
const REASON = {name: 'why', label: 'Why, for those who read it', help: 'It may be empty.', kind: 'text'};

/** The four orders for the whole experiment. Those that make no sense now stay, so that the focus stays. */
export class GateButtons {
    /** @param {Give} give */
    constructor(give) {
        /** @type {Gate} */
        this.state = 'open';
        this.buttons = GATES.map(gate => {
            const act = () => {
                if (!fits(gate, this.state)) return;
                const {order, verb, says} = gate;
                ask({
                    title: `${verb} the experiment?`,
                    text: says,
                    verb,
                    dangerous: order === 'drain',
                    fields: order === 'resume' ? [] : [REASON],
                    work: ({why}) => give({order, ...(why ? {why} : {})})
                });
            };
            return h('button', {type: 'button', onclick: act, title: gate.says}, gate.verb);
        });
        this.root = h('div', {class: 'switches', role: 'group', 'aria-label': 'Orders for the experiment'}, ...this.buttons);
    }

    /** @param {Gate} state */
    show(state) {
        this.state = state;
        this.buttons.forEach((button, i) => button.setAttribute('aria-disabled', String(!fits(GATES[i], state))));
    }
}

/**
 * Asks for one of the orders that make sense for an arm or a lane.
 * @param {string} name of it, for the title
 * @param {Of} of
 * @param {Gate} state
 * @param {Give} give
 */
export const askGate = (name, of, state, give) => {
    const sensible = GATES.filter(gate => fits(gate, state));
    ask({
        title: `Order for ${name}`,
        text: of.lane ? 'A lane is shared: this holds for all experiments that use it.' : undefined,
        verb: 'Give the order',
        fields: [
            {name: 'order', label: 'What to do', kind: 'choice', value: sensible[0]?.order, choices: sensible.map(({order, verb, says}) => ({value: order, label: verb, says}))},
            REASON
        ],
        work: ({order, why}) => give({order: /** @type {'pause'} */ (order), ...of, ...(why ? {why} : {})})
    });
};
