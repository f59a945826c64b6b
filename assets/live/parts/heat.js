// @ts-check
// The heat map: what came of each item in each arm. Cells are drawn, since there may be twenty thousand; the one that the keys are
// at is an element, so that it can have the focus and a name.
import {h, put, say} from '../dom.js';
import {KINDS, kindOf, stateWords} from '../lib/cells.js';
import {boxOf, fitting, inSight, layoutOf, placeAt, scrolledTo} from '../lib/heat.js';

/** @typedef {import('../lib/cells.js').Cells} Cells */
/** @typedef {import('../lib/cells.js').Kind} Kind */
/** @typedef {import('../lib/cells.js').Place} Place */
/** @typedef {import('../lib/heat.js').Box} Box */
/** @typedef {import('../types/experiments').Cell} Cell */

/** Width of the arms' names, in pixels: on a wide page, and on a narrow one. */
const [LABEL, LABEL_NARROW] = [190, 110];
const NARROW = 600;

/** Signs that tell the kinds apart without colours. @type {Record<Kind, (draw: CanvasRenderingContext2D, box: Box) => void>} */
const SIGNS = {
    passed: () => {},
    failed: (draw, {left, top, width, height}) => {
        const [x, y, r] = [left + width / 2, top + height / 2, Math.min(width, height) * 0.28];
        draw.moveTo(x - r, y - r);
        draw.lineTo(x + r, y + r);
        draw.moveTo(x + r, y - r);
        draw.lineTo(x - r, y + r);
    },
    stopped: (draw, {left, top, width, height}) => {
        draw.moveTo(left + width * 0.2, top + height / 2);
        draw.lineTo(left + width * 0.8, top + height / 2);
    },
    running: (draw, {left, top, width, height}) => {
        const [x, y, r] = [left + width / 2, top + height / 2, Math.min(width, height) * 0.3];
        draw.moveTo(x - r * 0.7, y - r);
        draw.lineTo(x + r, y);
        draw.lineTo(x - r * 0.7, y + r);
        draw.closePath();
    },
    released: (draw, {left, top, width, height}) => {
        const [x, y] = [left + width / 2, top + height / 2];
        draw.moveTo(x - 1, y);
        draw.lineTo(x + 1, y);
    },
    wanted: () => {},
    dead: (draw, {left, top, width, height}) => {
        for (const part of [0.34, 0.67, 1]) {
            draw.moveTo(left, top + height * part);
            draw.lineTo(left + width * part, top);
        }
        draw.moveTo(left + width * 0.34, top + height);
        draw.lineTo(left + width, top + height * 0.34);
        draw.moveTo(left + width * 0.67, top + height);
        draw.lineTo(left + width, top + height * 0.67);
    }
};

/** @typedef {{fill: Record<Kind, string>, sign: Record<Kind, string>, edge: string, ink: string, ground: string, font: string}} Colours */

/** @param {Element} element @returns {Colours} the colours of the reader's theme */
const coloursOf = element => {
    const style = getComputedStyle(element);
    const of = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const each = (/** @type {string} */ end) => /** @type {Record<Kind, string>} */ (Object.fromEntries(Object.keys(KINDS).map(kind => [kind, of(`heat-${kind}${end}`)])));
    return {fill: each(''), sign: each('-sign'), edge: of('heat-edge'), ink: of('soft'), ground: of('surface'), font: `11px ${style.fontFamily}`};
};

/** @param {CanvasRenderingContext2D} draw @param {Kind} kind @param {Box[]} boxes @param {Colours} colours */
const drawKind = (draw, kind, boxes, {fill, sign, edge}) => {
    draw.fillStyle = fill[kind];
    for (const {left, top, width, height} of boxes) draw.fillRect(left, top, width, height);
    if (kind === 'wanted' || kind === 'released') {
        draw.strokeStyle = edge;
        draw.lineWidth = 1;
        for (const {left, top, width, height} of boxes) draw.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    }
    draw.strokeStyle = draw.fillStyle = sign[kind];
    draw.lineWidth = kind === 'released' ? 2.5 : kind === 'dead' ? 1 : 1.6;
    draw.beginPath();
    boxes.forEach(box => SIGNS[kind](draw, box));
    if (kind === 'running') draw.fill();
    else draw.stroke();
};

/** @param {Colours} colours the theme's @param {Kind} kind @returns {HTMLCanvasElement} one cell, for the legend */
const sample = (colours, kind) => {
    const [size, scale] = [14, devicePixelRatio];
    const canvas = h('canvas', {width: size * scale, height: size * scale, 'aria-hidden': 'true'});
    const draw = canvas.getContext('2d');
    draw?.scale(scale, scale);
    if (draw) drawKind(draw, kind, [{left: 0, top: 0, width: size, height: size}], colours);
    return canvas;
};

/** The heat map with its legend, and words for the cell in question. */
export class Heat {
    /** @param {Cells} cells @param {{onOpen: (cell: Cell, place: Place) => void, onEscape: () => void}} on */
    constructor(cells, {onOpen, onEscape}) {
        this.cells = cells;
        this.onOpen = onOpen;
        this.onEscape = onEscape;
        /** @type {Place | null} */
        this.place = null;
        /** @type {Place | null} */
        this.hovered = null;
        this.frame = 0;
        this.room = {width: 0, height: 0};
        this.canvas = h('canvas', {'aria-hidden': 'true'});
        this.rows = h('div', {class: 'heat-rows', role: 'rowgroup'});
        this.grid = h('div', {class: 'heat-grid', role: 'grid', 'aria-label': 'Cells, arms by items', 'aria-describedby': 'heat-keys'}, this.canvas, this.rows);
        this.scroller = h('div', {class: 'heat'}, this.grid);
        this.cell = h('div', {class: 'heat-cell', role: 'gridcell', tabindex: 0});
        this.legend = h('ul', {class: 'legend', 'aria-label': 'Legend'});
        this.words = h('p', {class: 'heat-words'});
        this.status = h('p', {class: 'sr', role: 'status'});
        const keys = h('p', {id: 'heat-keys', class: 'quiet'}, 'Arrow keys go from cell to cell, Enter opens one, Escape closes it.');
        this.root = h('section', {class: 'panel', 'aria-labelledby': 'heat-title'}, h('h2', {id: 'heat-title'}, 'Cells'), this.legend, this.scroller, this.words, keys, this.status);
        this.listen();
        this.setCells(cells);
    }

    listen() {
        const {scroller} = this;
        scroller.addEventListener('scroll', () => this.draw(), {passive: true});
        scroller.addEventListener('keydown', event => this.onKey(event));
        const hover = (/** @type {Place | null} */ place) => {
            this.hovered = place;
            this.tell();
        };
        scroller.addEventListener('pointermove', event => hover(this.pointed(event)));
        scroller.addEventListener('pointerleave', () => hover(null));
        scroller.addEventListener('click', event => {
            const place = this.pointed(event);
            const cell = place && this.cells.at(place);
            if (!cell) return;
            this.go(place);
            this.onOpen(cell, place);
        });
        this.cell.addEventListener('focus', () => this.announce());
        // Not at once: laying it out may change the size that is observed.
        this.resized = new ResizeObserver(() => requestAnimationFrame(() => this.arrange()));
        this.resized.observe(scroller);
        this.theme = matchMedia('(prefers-color-scheme: dark)');
        this.onTheme = () => this.arrange();
        this.theme.addEventListener('change', this.onTheme);
    }

    /** Shows other cells, of an experiment that has grown. @param {Cells} cells */
    setCells(cells) {
        this.cells = cells;
        const {rows, columns, epochs, arms} = cells;
        this.grid.setAttribute('aria-rowcount', String(rows));
        this.grid.setAttribute('aria-colcount', String(columns + 1));
        this.armRows = arms.map((label, i) =>
            h('div', {class: 'heat-row', role: 'row', 'aria-rowindex': i * epochs + 1}, h('div', {class: 'heat-arm', role: 'rowheader', 'aria-colindex': 1, title: label}, h('span', {}, label)))
        );
        put(this.rows, this.armRows);
        const place = this.place && cells.at(this.place) ? this.place : cells.first();
        this.arrange();
        if (place) this.go(place, {quiet: true});
    }

    /** Lays it out for the width that there is. */
    arrange() {
        const {clientWidth} = this.scroller;
        if (!clientWidth) return;
        const {items, arms, epochs} = this.cells;
        this.layout = layoutOf(clientWidth, clientWidth < NARROW ? LABEL_NARROW : LABEL, {items, arms: arms.length, epochs});
        const {label, head, band, width, height} = this.layout;
        // Lengths that only a script knows; the policy of the page forbids them in markup.
        for (const [name, length] of Object.entries({label, head, band, width, height})) this.grid.style.setProperty(`--${name}`, `${length}px`);
        this.room = {width: Math.min(clientWidth, width), height: Math.min(this.scroller.clientHeight, height)};
        const scale = devicePixelRatio;
        this.canvas.width = this.room.width * scale;
        this.canvas.height = this.room.height * scale;
        this.canvas.style.width = `${this.room.width}px`;
        this.canvas.style.height = `${this.room.height}px`;
        this.colours = coloursOf(this.root);
        const {colours} = this;
        put(this.legend, Object.entries(KINDS).map(([kind, name]) => h('li', {}, sample(colours, /** @type {Kind} */ (kind)), name)));
        this.put();
        this.draw();
    }

    /** Draws once before the next picture of the screen, however often it is asked to. */
    draw() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.drawNow();
        });
    }

    drawNow() {
        const {layout, colours, cells} = this;
        const draw = this.canvas.getContext('2d');
        if (!draw || !layout || !colours) return;
        const {scrollLeft: left, scrollTop: top} = this.scroller;
        const scale = devicePixelRatio;
        draw.setTransform(scale, 0, 0, scale, 0, 0);
        draw.clearRect(0, 0, this.room.width, this.room.height);
        const {rows, columns} = inSight(layout, {left, top, ...this.room}, cells);
        /** @type {Map<Kind, Box[]>} */
        const boxes = new Map();
        for (let row = rows[0]; row < rows[1]; row++) {
            for (let column = columns[0]; column < columns[1]; column++) {
                const cell = cells.at({row, column});
                if (!cell) continue;
                const box = boxOf(layout, {row, column});
                const kind = kindOf(cell);
                const same = boxes.get(kind);
                const shown = {...box, left: box.left - left, top: box.top - top};
                if (same) same.push(shown);
                else boxes.set(kind, [shown]);
            }
        }
        for (const [kind, same] of boxes) drawKind(draw, kind, same, colours);
        this.drawNames(draw, columns, left);
    }

    /** The items' names stand above whatever is scrolled to. @param {CanvasRenderingContext2D} draw @param {[number, number]} columns @param {number} left */
    drawNames(draw, columns, left) {
        const {layout, colours, cells} = this;
        if (!layout || !colours) return;
        draw.fillStyle = colours.ground;
        draw.fillRect(0, 0, this.room.width, layout.head);
        draw.fillStyle = colours.ink;
        draw.font = colours.font;
        draw.textBaseline = 'middle';
        for (let column = columns[0]; column < columns[1]; column++) {
            draw.save();
            draw.translate(layout.label + (column + 0.5) * layout.cellWidth - left, layout.head - 4);
            draw.rotate(-Math.PI / 2);
            draw.fillText(fitting(cells.items[column], layout.head - 6), 0, 0);
            draw.restore();
        }
        draw.clearRect(0, 0, layout.label, layout.head);
    }

    /** @param {MouseEvent} event @returns {Place | null} */
    pointed({clientX, clientY}) {
        if (!this.layout) return null;
        const {left, top} = this.scroller.getBoundingClientRect();
        const [x, y] = [clientX - left, clientY - top];
        // What is below the names is not pointed at.
        if (x < this.layout.label || y < this.layout.head) return null;
        return placeAt(this.layout, x + this.scroller.scrollLeft, y + this.scroller.scrollTop);
    }

    /** @param {KeyboardEvent} event */
    onKey(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || !this.place) return;
        const {key} = event;
        const cell = this.cells.at(this.place);
        if (key === 'Escape') this.onEscape();
        else if (cell && (key === 'Enter' || key === ' ')) this.onOpen(cell, this.place);
        else {
            const place = this.cells.moved(this.place, key);
            if (!place) return;
            this.go(place);
        }
        event.preventDefault();
    }

    /** Goes to a cell. @param {Place} place @param {{quiet?: boolean}} [how] quiet: without focus */
    go(place, {quiet = false} = {}) {
        this.place = place;
        const had = document.activeElement === this.cell;
        this.put();
        this.tell();
        if (quiet && !had) return;
        if (this.layout) {
            const sight = {left: this.scroller.scrollLeft, top: this.scroller.scrollTop, ...this.room};
            this.scroller.scrollTo(scrolledTo(sight, this.layout, place));
        }
        if (document.activeElement === this.cell) this.announce();
        else this.cell.focus({preventScroll: true});
    }

    /** Puts the element of the current cell where it is drawn. */
    put() {
        const {place, layout, cells} = this;
        if (!place || !layout) return;
        const {epochs} = cells;
        const row = this.armRows?.[Math.floor(place.row / epochs)];
        const had = document.activeElement === this.cell;
        if (row && this.cell.parentElement !== row) {
            row.append(this.cell);
            if (had) this.cell.focus({preventScroll: true});
        }
        this.cell.setAttribute('aria-label', cells.nameOf(place));
        this.cell.setAttribute('aria-colindex', String(place.column + 2));
        const {left, width, height} = boxOf(layout, place);
        for (const [name, length] of Object.entries({left, top: (place.row % epochs) * layout.cellHeight, width, height})) {
            this.cell.style.setProperty(`--cell-${name}`, `${length}px`);
        }
    }

    /** Tells of the cell that is pointed at, or else of the current one. */
    tell() {
        const place = this.hovered ?? this.place;
        const cell = place && this.cells.at(place);
        put(this.words, cell && place ? [h('b', {}, this.cells.nameOf(place)), `: ${stateWords(cell)}`] : ['No cell here.']);
    }

    /** Says what the current cell is; its name is that of the element. */
    announce() {
        const cell = this.place && this.cells.at(this.place);
        if (cell) say(this.status, stateWords(cell));
    }

    /** Shows what has changed. */
    changed() {
        this.draw();
        this.tell();
        if (document.activeElement === this.cell) this.announce();
    }

    /** Gives the focus back to the current cell. */
    focus() {
        this.cell.focus({preventScroll: true});
    }

    stop() {
        this.resized?.disconnect();
        this.theme?.removeEventListener('change', this.onTheme ?? (() => {}));
        cancelAnimationFrame(this.frame);
    }
}
