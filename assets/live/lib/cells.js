// @ts-check
// The cells of an experiment as a grid: a row for each epoch of each arm, a column for each item. Nothing here touches the page.
import {counted, spaced} from './words.js';

/** @typedef {import('../types/experiments').Cell} Cell */
/** @typedef {import('../types/experiments').CellList} CellList */
/** @typedef {{row: number, column: number}} Place */
/** @typedef {'passed' | 'failed' | 'stopped' | 'running' | 'released' | 'wanted' | 'dead'} Kind */

/** How cells look, in the order of the legend, with what each means. @type {Record<Kind, string>} */
export const KINDS = {
    passed: 'passed',
    failed: 'failed',
    stopped: 'other result',
    running: 'running',
    released: 'released',
    wanted: 'owed',
    dead: 'dead'
};

/** @param {Cell} cell @returns {Kind} how it looks */
export const kindOf = ({state, outcome}) => {
    if (state !== 'decided') return state;
    return outcome === 'passed' || outcome === 'failed' ? outcome : 'stopped';
};

/** @param {Cell} cell @returns {string} its state with what came of it, such as `failed, 3 of 5 tests, 2 tries` */
export const stateWords = cell => {
    const {state, outcome, passed, total, tries, code} = cell;
    const isDecided = state === 'decided';
    const parts = [isDecided ? spaced(outcome ?? 'decided') : KINDS[kindOf(cell)]];
    if (isDecided && total) parts.push(`${passed ?? 0} of ${counted(total, 'test')}`);
    if (tries > 1) parts.push(`${tries} tries`);
    else if (tries === 1 && !isDecided && state !== 'running') parts.push('1 try');
    if (code && !isDecided) parts.push(code);
    return parts.join(', ');
};

/** Where the keys lead: rows, columns. @type {Record<string, [number, number]>} */
const STEPS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

/** The grid. Not every place has a cell: arms may be asked for different items. */
export class Cells {
    /** @param {CellList} list */
    constructor({arms, items, epochs, cells}) {
        this.arms = arms.map(({label}) => label);
        this.items = items;
        this.epochs = Math.max(1, epochs);
        this.rows = arms.length * this.epochs;
        this.columns = items.length;
        /** @type {(Cell | null)[]} */
        this.grid = new Array(this.rows * this.columns).fill(null);
        this.update(cells);
    }

    /** @param {Cell} cell @returns {Place} */
    placeOf({arm, item, epoch}) {
        return {row: arm * this.epochs + epoch - 1, column: item};
    }

    /** @param {Place} place @returns {boolean} */
    has({row, column}) {
        return row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    }

    /** @param {Place} place @returns {Cell | null} */
    at({row, column}) {
        return this.has({row, column}) ? this.grid[row * this.columns + column] : null;
    }

    /**
     * Puts cells in their places.
     * @param {Cell[]} cells
     * @returns {boolean} false if one has no place: the experiment has grown, and its list must be asked for again
     */
    update(cells) {
        let fits = true;
        for (const cell of cells) {
            const place = this.placeOf(cell);
            if (this.has(place)) this.grid[place.row * this.columns + place.column] = cell;
            else fits = false;
        }
        return fits;
    }

    /** @returns {Cell[]} */
    all() {
        return this.grid.filter(cell => cell !== null);
    }

    /** @param {Place} place @returns {string} the arm, the item and, if there are several, the epoch */
    nameOf({row, column}) {
        const arm = this.arms[Math.floor(row / this.epochs)];
        const epoch = this.epochs > 1 ? `, epoch ${(row % this.epochs) + 1}` : '';
        return `${arm}, ${this.items[column]}${epoch}`;
    }

    /** @returns {Place | null} the first place with a cell */
    first() {
        const index = this.grid.findIndex(cell => cell !== null);
        return index < 0 ? null : {row: Math.floor(index / this.columns), column: index % this.columns};
    }

    /**
     * @param {Place} place
     * @param {[number, number]} step
     * @returns {Place} the next place with a cell in a direction, or the same
     */
    next(place, [down, right]) {
        let {row, column} = place;
        do {
            row += down;
            column += right;
            if (!this.has({row, column})) return place;
        } while (this.at({row, column}) === null);
        return {row, column};
    }

    /**
     * @param {Place} place
     * @param {string} key
     * @returns {Place | null} where it leads; null for keys that lead nowhere
     */
    moved(place, key) {
        if (key in STEPS) return this.next(place, STEPS[key]);
        if (key === 'Home') return this.next({row: place.row, column: -1}, [0, 1]);
        if (key === 'End') return this.next({row: place.row, column: this.columns}, [0, -1]);
        const arms = key === 'PageDown' ? 1 : key === 'PageUp' ? -1 : 0;
        return arms ? this.next(place, [arms * this.epochs, 0]) : null;
    }
}

/** @param {Cell[]} cells @returns {number} */
export const passedOf = cells => cells.filter(cell => kindOf(cell) === 'passed').length;

/** @param {Cell[]} cells @returns {Map<string, number>} dead cells by the code of their newest attempt */
export const deadByCode = cells => {
    const dead = new Map();
    for (const {state, code} of cells) if (state === 'dead' && code) dead.set(code, (dead.get(code) ?? 0) + 1);
    return dead;
};
