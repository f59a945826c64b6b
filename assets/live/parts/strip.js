// @ts-check
// The steps of an attempt as a strip of small pictures, each fetched when it first comes into sight.
import {Trouble} from '../client.js';
import {h} from '../dom.js';
import {draw, thumbnail} from './thumbnail.js';

/** @typedef {{label: string, name: string, call: number | null}} Still */

/** The strip; one of its pictures is the current one and takes the focus for all. */
export class Strip {
    /**
     * @param {(call: number) => Promise<Blob>} picture of a call
     * @param {Still[]} stills
     * @param {(index: number) => void} choose
     */
    constructor(picture, stills, choose) {
        this.picture = picture;
        this.stills = stills;
        /** @type {HTMLButtonElement[]} */
        this.buttons = stills.map(({label, name}, i) =>
            h('button', {type: 'button', tabindex: -1, 'aria-label': name, title: name, onclick: () => choose(i)}, thumbnail(), h('span', {}, label))
        );
        this.root = h('ol', {class: 'strip', 'aria-label': 'Film strip'}, ...this.buttons.map(button => h('li', {}, button)));
        // Without any picture it would be a row of grey boxes.
        this.root.hidden = stills.every(({call}) => call === null);
        this.seen = new IntersectionObserver(entries => entries.forEach(entry => entry.isIntersecting && this.load(entry.target)), {rootMargin: '200px'});
        this.buttons.forEach(button => this.seen.observe(button));
    }

    /** @param {Element} button */
    async load(button) {
        this.seen.unobserve(button);
        const {call} = this.stills[this.buttons.findIndex(one => one === button)];
        const canvas = button.querySelector('canvas');
        if (call === null || !canvas) return;
        try {
            await draw(canvas, await this.picture(call));
        } catch (error) {
            // The box stays empty: the step's own picture tells what went wrong.
            if (!(error instanceof Trouble || error instanceof DOMException)) throw error;
        }
    }

    /** @param {number} index */
    go(index) {
        this.buttons.forEach((button, i) => {
            button.tabIndex = i === index ? 0 : -1;
            if (i === index) button.setAttribute('aria-current', 'step');
            else button.removeAttribute('aria-current');
        });
        const current = this.buttons[index];
        // Only the strip scrolls, not the page.
        this.root.scrollLeft = current.offsetLeft - (this.root.clientWidth - current.clientWidth) / 2;
    }

    stop() {
        this.seen.disconnect();
    }
}
