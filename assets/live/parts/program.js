// @ts-check
// A program as text: scripts of each sprite in scratchblocks notation, with what is new marked.
import {h, put} from '../dom.js';
import {added, pieces} from '../lib/notation.js';
import {shown} from '../lib/words.js';

/** @typedef {import('../types/api').Program} Program */
/** @typedef {import('../types/api').Target} Target */

/**
 * @param {string} script
 * @param {boolean[]} fresh which lines are new
 * @returns {HTMLElement}
 */
const scriptOf = (script, fresh) => {
    const lines = script.split('\n').map((line, i) => {
        const parts = pieces(line).map(({kind, text}) => (kind === 'plain' ? text : h('span', {class: `n-${kind}`}, text)));
        return h('span', {class: fresh[i] ? 'line fresh' : 'line'}, ...parts, '\n');
    });
    return h('pre', {}, h('code', {}, ...lines));
};

/** Every line of a target in order, for telling what is new. @param {Target | undefined} target */
const linesOf = target => (target ? target.scripts.flatMap(script => script.split('\n')) : []);

/** @param {{name: string, value: any}[]} values @param {string} label */
const valuesOf = (values, label) =>
    values.length > 0 &&
    h('p', {class: 'values'}, h('span', {class: 'quiet'}, `${label} `), values.map(({name, value}) => `${name} = ${shown(value)}`).join(', '));

/** The text of a program that may change. */
export class ProgramText {
    /** @param {string} heading */
    constructor(heading = 'Program') {
        /** @type {Program | null} */
        this.program = null;
        this.body = h('div', {class: 'program', tabindex: 0, role: 'region', 'aria-label': `${heading} text`}, h('p', {class: 'quiet'}, 'No program yet.'));
        this.heading = h('h2', {}, heading);
        this.root = h('section', {class: 'panel'}, this.heading, this.body);
    }

    /**
     * @param {Program} program
     * @param {string} [editing] the target being edited, shown first
     */
    show(program, editing) {
        const before = this.program;
        const was = (/** @type {string} */ name) => before?.targets.find(target => target.name === name);
        const order = [...program.targets].sort((a, b) => Number(b.name === editing) - Number(a.name === editing));
        put(
            this.body,
            order.map(target => this.target(target, before ? linesOf(was(target.name)) : linesOf(target), target.name === editing))
        );
        this.program = program;
    }

    /**
     * @param {Target} target
     * @param {string[]} before lines that are not new
     * @param {boolean} edited
     */
    target(target, before, edited) {
        const fresh = added(before, linesOf(target));
        let line = 0;
        const scripts = target.scripts.map(script => {
            const count = script.split('\n').length;
            line += count;
            return scriptOf(script, fresh.slice(line - count, line));
        });
        return h(
            'section',
            {class: 'target'},
            h('h3', {}, target.name, edited && h('span', {class: 'tag'}, 'edited')),
            valuesOf(target.variables, 'variables'),
            valuesOf(target.lists, 'lists'),
            ...(scripts.length ? scripts : [h('p', {class: 'quiet'}, 'no scripts')])
        );
    }

    /** Words where no program is. @param {string} why */
    clear(why) {
        put(this.body, [h('p', {class: 'quiet'}, why)]);
    }
}
