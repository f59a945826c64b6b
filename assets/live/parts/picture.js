// @ts-check
// A picture of the editor with what is drawn over it: boxes of elements, the pointer, where an action went.
import {h, put, svg} from '../dom.js';
import {SIZE, group, trail} from '../lib/overlay.js';

/** @typedef {import('../types/api').Element} Element */
/** @typedef {import('../types/api').Point} Point */

/**
 * @param {Point} point
 * @returns {SVGElement} a pointer whose tip is at the point
 */
const pointerAt = ({x, y}) =>
    svg('path', {class: 'pointer', d: 'M0 0 V19 L4.6 14.8 L7.6 21.6 L11 20.2 L8 13.6 H14 Z', transform: `translate(${x} ${y})`});

/** @param {Element} element */
const box = ({index, type, text, position: {x, y, width, height}}) =>
    svg(
        'g',
        {class: `box ${group(type)}`},
        svg('title', {}, `${index} ${type} ${text}`),
        svg('rect', {x, y, width, height}),
        group(type) !== 'area' && svg('text', {x: x + 2, y: y + 9}, index)
    );

/**
 * @param {{api: string, args: Record<string, any>} | undefined} action
 * @returns {SVGElement[]} where the action went
 */
const marks = action => {
    const went = trail(action);
    if (!went) return [];
    const {at, from} = went;
    const ring = svg('circle', {class: 'ring', cx: at.x, cy: at.y, r: 14});
    if (!from) return [ring, pointerAt(at)];
    const line = svg('line', {class: 'path', x1: from.x, y1: from.y, x2: at.x, y2: at.y});
    return [line, svg('circle', {class: 'start', cx: from.x, cy: from.y, r: 6}), ring, pointerAt(at)];
};

/** A picture with its switches. */
export class Picture {
    /**
     * @param {object} [options]
     * @param {(on: boolean) => void} [options.onBoxes] told when boxes are switched on or off
     * @param {boolean} [options.boxes] whether they are on at first
     */
    constructor({onBoxes, boxes = false} = {}) {
        this.boxesOn = boxes;
        this.pointerOn = true;
        /** @type {Element[]} */
        this.elements = [];
        /** @type {SVGElement[]} */
        this.over = [];
        this.url = '';
        this.image = h('img', {alt: '', width: SIZE.width, height: SIZE.height, hidden: true});
        this.note = h('p', {class: 'note'}, 'Waiting for the first picture …');
        this.overlay = svg('svg', {class: 'overlay', viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, 'aria-hidden': 'true'});
        this.list = h('ol', {class: 'elements', start: 0, tabindex: 0, 'aria-label': 'Elements'});
        this.count = h('span', {class: 'quiet'});
        this.details = h('details', {class: 'element-list', hidden: true}, h('summary', {}, 'Elements as text ', this.count), this.list);
        this.details.addEventListener('toggle', () => this.writeList());
        this.switches = h(
            'div',
            {class: 'switches', role: 'group', 'aria-label': 'Drawn over the picture'},
            this.toggle('Element boxes', boxes, on => {
                this.boxesOn = on;
                onBoxes?.(on);
                this.draw();
            }),
            this.toggle('Pointer', true, on => {
                this.pointerOn = on;
                this.draw();
            })
        );
        this.frame = h('div', {class: 'frame'}, this.image, this.overlay, this.note);
        this.large = h('div', {class: 'large', tabindex: 0, role: 'region', 'aria-label': 'The picture in full size'});
        this.dialog = h('dialog', {class: 'enlarged', 'aria-label': 'Picture, enlarged'}, h('button', {type: 'button', onclick: () => this.dialog.close()}, 'Close'), this.large);
        this.dialog.addEventListener('close', () => this.root.prepend(this.frame));
        this.switches.append(h('button', {type: 'button', onclick: () => this.enlarge()}, 'Enlarge'));
        this.root = h('figure', {class: 'picture'}, this.frame, this.switches, this.details, this.dialog);
        this.draw();
    }

    /**
     * @param {string} label
     * @param {boolean} on at first
     * @param {(on: boolean) => void} changed
     */
    toggle(label, on, changed) {
        const button = h('button', {type: 'button', class: 'toggle', 'aria-pressed': String(on)}, label);
        button.addEventListener('click', () => {
            const now = button.getAttribute('aria-pressed') !== 'true';
            button.setAttribute('aria-pressed', String(now));
            changed(now);
        });
        return button;
    }

    /**
     * Shows a picture once it is decoded, so that it never flickers.
     * @param {Blob} blob
     * @param {string} alt
     */
    async show(blob, alt) {
        const url = URL.createObjectURL(blob);
        const next = new Image();
        next.src = url;
        try {
            await next.decode();
        } catch {
            URL.revokeObjectURL(url);
            return this.clear('The picture can’t be shown.');
        }
        this.image.src = url;
        this.image.alt = alt;
        this.image.hidden = false;
        this.note.hidden = true;
        if (this.url) URL.revokeObjectURL(this.url);
        this.url = url;
    }

    /**
     * Shows words where no picture is.
     * @param {string} why
     */
    clear(why) {
        this.image.hidden = true;
        this.note.hidden = false;
        put(this.note, [why]);
    }

    /** Shows the picture in its own pixels, with what is drawn over it; it goes on changing there. */
    enlarge() {
        this.large.append(this.frame);
        this.dialog.showModal();
    }

    /** @param {Element[]} elements */
    setElements(elements) {
        this.elements = elements;
        this.draw();
    }

    /** @param {Point | null} at */
    setPointer(at) {
        this.over = at ? [pointerAt(at)] : [];
        this.draw();
    }

    /** @param {{api: string, args: Record<string, any>} | undefined} action */
    setAction(action) {
        this.over = marks(action);
        this.draw();
    }

    draw() {
        put(this.overlay, [...(this.boxesOn ? this.elements.map(box) : []), ...(this.pointerOn ? this.over : [])]);
        this.details.hidden = !this.boxesOn || this.elements.length === 0;
        put(this.count, [`(${this.elements.length})`]);
        this.writeList();
    }

    /** The list is long, so it is written only while it is open. */
    writeList() {
        if (!this.details.open || this.details.hidden) return;
        put(this.list, this.elements.map(({type, text}) => h('li', {}, h('b', {}, type), ' ', text)));
    }

    stop() {
        if (this.url) URL.revokeObjectURL(this.url);
        this.url = '';
    }
}
