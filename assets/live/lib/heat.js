// @ts-check
// Where the cells of a heat map lie, so that only those in sight are drawn. Nothing here touches the page.

/** @typedef {import('./cells.js').Place} Place */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/**
 * @typedef {object} Layout lengths in pixels
 * @property {number} label width of the arms' names
 * @property {number} head height of the items' names
 * @property {number} cellWidth with the gap after it
 * @property {number} cellHeight
 * @property {number} epochs
 * @property {number} band height of an arm with the gap below it
 * @property {number} width of all
 * @property {number} height
 */

/** Smallest width at which a sign still reads, and the largest that is of use. */
const [NARROW, WIDE] = [11, 26];
/** Height of a cell by the number of epochs: few of them have room. */
const HEIGHTS = [20, 14, 12];
/** Height of one of many. */
const LOW = 10;
/** Between two arms. */
const GAP = 5;
/** Width of a letter of an item's name, the longest such name, and what is around it. */
const [LETTER, LONGEST, MARGIN] = [5.6, 118, 10];

/**
 * @param {number} room width that there is
 * @param {number} label
 * @param {{items: string[], arms: number, epochs: number}} of
 * @returns {Layout}
 */
export const layoutOf = (room, label, {items, arms, epochs}) => {
    const cellWidth = Math.max(NARROW, Math.min(WIDE, Math.floor((room - label) / Math.max(1, items.length))));
    const cellHeight = HEIGHTS[epochs - 1] ?? LOW;
    const band = epochs * cellHeight + GAP;
    const longest = items.reduce((most, item) => Math.max(most, item.length), 0);
    const head = Math.round(Math.min(LONGEST, longest * LETTER)) + MARGIN;
    return {label, head, cellWidth, cellHeight, epochs, band, width: label + cellWidth * items.length, height: head + band * arms};
};

/** @param {Layout} layout @param {Place} place @returns {Box} without the gaps around it */
export const boxOf = ({label, head, cellWidth, cellHeight, epochs, band}, {row, column}) => ({
    left: label + column * cellWidth,
    top: head + Math.floor(row / epochs) * band + (row % epochs) * cellHeight,
    width: cellWidth - 1,
    height: cellHeight - 1
});

/** @param {Layout} layout @param {number} x @param {number} y @returns {Place | null} the place of a point */
export const placeAt = ({label, head, cellWidth, cellHeight, epochs, band, width, height}, x, y) => {
    if (x < label || x >= width || y < head || y >= height) return null;
    const epoch = Math.floor(((y - head) % band) / cellHeight);
    return epoch < epochs ? {row: Math.floor((y - head) / band) * epochs + epoch, column: Math.floor((x - label) / cellWidth)} : null;
};

/**
 * @param {Layout} layout
 * @param {Box} sight what of all is in sight
 * @param {{rows: number, columns: number}} of
 * @returns {{rows: [number, number], columns: [number, number]}} first, and the one after the last
 */
export const inSight = ({label, head, cellWidth, epochs, band}, sight, {rows, columns}) => {
    const within = (/** @type {number} */ n, /** @type {number} */ most) => Math.max(0, Math.min(most, n));
    const right = sight.left + sight.width - label;
    const bottom = sight.top + sight.height - head;
    return {
        rows: [within(Math.floor(sight.top / band) * epochs, rows), within(Math.ceil(bottom / band) * epochs, rows)],
        columns: [within(Math.floor(sight.left / cellWidth), columns), within(Math.ceil(right / cellWidth), columns)]
    };
};

/**
 * @param {Box} sight
 * @param {Layout} layout
 * @param {Place} place
 * @returns {{left: number, top: number}} how far to scroll so that the place is in sight, beside and below the names
 */
export const scrolledTo = (sight, layout, place) => {
    const {left, top, width, height} = boxOf(layout, place);
    const along = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ from, /** @type {number} */ room, /** @type {number} */ names) => {
        if (at - names < from) return Math.max(0, at - names);
        return at + size > from + room ? at + size - room : from;
    };
    return {left: along(left, width + 6, sight.left, sight.width, layout.label), top: along(top, height + 6, sight.top, sight.height, layout.head)};
};

/** @param {string} text @param {number} room in pixels @returns {string} as much of a name as fits */
export const fitting = (text, room) => {
    const letters = Math.floor(room / LETTER);
    return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
};
