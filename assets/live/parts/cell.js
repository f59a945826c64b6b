// @ts-check
// One cell of an experiment: what came of it, and what can be done about it.
import {h, put} from '../dom.js';
import {KINDS, kindOf} from '../lib/cells.js';
import {counted, spaced} from '../lib/words.js';
import {ask} from './dialog.js';

/** @typedef {import('../types/experiments').Cell} Cell */
/** @typedef {import('../types/experiments').Give} Give */

/** @param {string} name @param {import('../dom.js').Child} value */
const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

/** @param {Cell} cell @returns {HTMLElement[]} */
const factsOf = cell => {
    const {state, outcome, passed, total, tries, infra, provider, code, id} = cell;
    const failed = [infra && `${infra} by the testbed`, provider && `${provider} by the provider`].filter(Boolean).join(', ');
    return [
        fact('state', state === 'decided' ? 'decided' : KINDS[kindOf(cell)]),
        ...(state === 'decided' ? [fact('outcome', h('span', {class: `outcome ${outcome ?? ''}`}, spaced(outcome ?? 'unknown')))] : []),
        ...(state === 'decided' && total ? [fact('tests', `${passed ?? 0} of ${total} passed`)] : []),
        fact('tries', failed ? `${tries}, of them spoiled: ${failed}` : String(tries)),
        ...(code ? [fact('last failure', h('code', {}, code))] : []),
        fact('cell', h('span', {class: 'id'}, id))
    ];
};

/** A small panel over the page. Its buttons stay while the cell changes, so that the focus stays on them. */
export class CellPanel {
    /** @param {Give} give @param {() => void} onClose called when the person closes it */
    constructor(give, onClose) {
        this.give = give;
        this.onClose = onClose;
        /** @type {Cell | null} */
        this.cell = null;
        this.mayOrder = false;
        this.title = h('h3', {id: 'cell-title', tabindex: -1});
        this.facts = h('dl');
        this.link = h('a', {}, 'Open the attempt');
        this.again = h('button', {type: 'button', onclick: () => this.wantAgain()}, 'Try it again …');
        this.takeBack = h('button', {type: 'button', onclick: () => this.askVoid()}, 'Take back its verdict …');
        const close = h('button', {type: 'button', onclick: () => this.close()}, 'Close');
        this.root = h('section', {class: 'cell-panel', role: 'dialog', 'aria-labelledby': 'cell-title', hidden: true}, this.title, this.facts, h('p', {class: 'answers'}, this.link, this.again, this.takeBack, close));
        this.root.addEventListener('keydown', event => {
            // Escape in a question about the cell closes that question.
            if (event.key !== 'Escape') return;
            event.preventDefault();
            this.close();
        });
    }

    /** @param {Cell} cell @param {string} name @param {boolean} mayOrder */
    open(cell, name, mayOrder) {
        put(this.title, [name]);
        this.root.hidden = false;
        this.show(cell, mayOrder);
        this.title.focus({preventScroll: true});
    }

    /** @param {Cell} cell @param {boolean} mayOrder */
    show(cell, mayOrder) {
        this.cell = cell;
        put(this.facts, factsOf(cell));
        const {run, attempt} = cell;
        this.link.hidden = run === null || attempt === null;
        this.link.setAttribute('href', `#/runs/${encodeURIComponent(run ?? '')}/${encodeURIComponent(attempt ?? '')}`);
        this.again.hidden = !mayOrder || cell.state !== 'dead';
        this.takeBack.hidden = !mayOrder || cell.state !== 'decided';
        if (document.activeElement === document.body && !this.root.hidden) this.title.focus({preventScroll: true});
    }

    /** @returns {boolean} whether it was open */
    close() {
        if (this.root.hidden) return false;
        this.root.hidden = true;
        this.cell = null;
        this.onClose();
        return true;
    }

    wantAgain() {
        const {cell} = this;
        if (!cell) return;
        ask({
            title: 'Try this cell again?',
            text: `It is owed again, and its failures are counted anew. It was tried ${counted(cell.tries, 'time')}.`,
            verb: 'Try again',
            work: () => this.give({order: 'requeue', cells: [cell.id]})
        });
    }

    askVoid() {
        const {cell} = this;
        if (!cell) return;
        ask({
            title: 'Take back this verdict?',
            text: 'The attempt is kept and shown, but no longer counts. The cell is owed again, and another attempt is paid for.',
            verb: 'Take it back',
            dangerous: true,
            fields: [{name: 'reason', label: 'Why it does not count', kind: 'text', required: true}],
            work: ({reason}) => this.give({order: 'requeue', void: cell.id, reason})
        });
    }
}
