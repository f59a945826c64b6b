// @ts-check
// All ends of a drag that make a wanted connection, as offsets from its start.

const {dragPath} = require('./drag-path');
const {nameOf, simulate} = require('./drag-search');
const {runsOf} = require('./pixel-rows');

/** @typedef {import('./drag-search').Candidate} Candidate */
/** @typedef {import('./drag-search').Layout} Layout */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** Pixels around the reach of a connection that are looked at too. */
const MARGIN = 2;

/**
 * @param {any} probe the block in the air
 * @param {Layout} layout where connections lie
 * @param {(local: any, neighbour: any) => boolean} wanted whether a connection brings the relation about
 * @returns {Candidate[]} all connections that do
 */
const goals = (probe, layout, wanted) => layout.locals.flatMap(({neighbours}, local) =>
    neighbours
        .filter(({id}) => wanted(probe.locals[local], probe.numbers.connections[id]))
        .map(({id}) => ({local, neighbour: id})));

/**
 * The offsets at which a wanted connection can be within reach, whatever preview is shown.
 * @param {Candidate[]} wanted
 * @param {Iterable<Layout>} layouts all that are known
 * @param {number} reach in workspace units
 * @param {number} scale pixels of a workspace unit
 * @returns {Box | null} pixels
 */
const windowOf = (wanted, layouts, reach, scale) => {
    const box = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity};
    for (const {locals, places} of layouts) {
        for (const {local, neighbour} of wanted) {
            const own = locals[local];
            const other = places.get(neighbour);
            if (!other) continue;
            box.left = Math.min(box.left, Math.floor((other.x - own.x - reach) * scale) - MARGIN);
            box.top = Math.min(box.top, Math.floor((other.y - own.y - reach) * scale) - MARGIN);
            box.right = Math.max(box.right, Math.ceil((other.x - own.x + reach) * scale) + MARGIN);
            box.bottom = Math.max(box.bottom, Math.ceil((other.y - own.y + reach) * scale) + MARGIN);
        }
    }
    return box.left <= box.right ? box : null;
};

/**
 * @param {Candidate[]} wanted
 * @param {Layout} layout where connections lie while nothing is shown
 * @param {number} scale pixels of a workspace unit
 * @returns {[number, number] | null} the offset that brings the first of them together
 */
const aimOf = ([first], {locals, places}, scale) => {
    const own = first && locals[first.local];
    const other = first && places.get(first.neighbour);
    return own && other ? [Math.round((other.x - own.x) * scale), Math.round((other.y - own.y) * scale)] : null;
};

/**
 * Plays the drag to every offset that may do. Previews whose layout isn't known yet are shown once, then the
 * offsets that met them are played again.
 * @param {any} probe the block in the air
 * @param {(local: any, neighbour: any) => boolean} fits whether a connection brings the relation about
 * @param {{radii: import('./drag-search').Radii, scale: number, path: import('./drag-path').PathRules}} rules of the editor and of the path
 * @returns {Promise<{runs: import('./pixel-rows').Run[], aim: [number, number] | null, previews: number}>} offsets; the one
 * at which the two ends lie on each other; and how many previews were shown
 */
const endRegion = async (probe, fits, {radii, scale, path}) => {
    const start = probe.layout();
    // A preview that is shown stays beyond `keep` if what is found in its place is not nearer by more than `preference`.
    const reach = radii.keep + radii.preference;
    /** @type {Map<string, Layout>} */
    const layouts = new Map();
    const rest = await probe.show(null);
    layouts.set('none', rest);
    const wanted = goals(probe, rest, fits);
    const aim = aimOf(wanted, rest, scale);
    const names = new Set(wanted.map(nameOf));
    const layoutOf = (/** @type {Candidate | null} */ candidate) => layouts.get(nameOf(candidate)) || null;
    for (const candidate of wanted) layouts.set(nameOf(candidate), await probe.show(candidate));
    /** @type {Map<number, boolean>} */
    const decided = new Map();
    for (;;) {
        const box = windowOf(wanted, [start, ...layouts.values()], reach, scale);
        if (!box) return {runs: [], aim, previews: layouts.size - 1};
        const drag = (/** @type {number} */ dx, /** @type {number} */ dy) => simulate(dragPath(path, dx, dy, scale), start, layoutOf, radii);
        const missing = play(box, decided, drag, names);
        if (missing.size === 0) {
            return {runs: runsOf(box, (x, y) => decided.get(key(x, y)) === true), aim, previews: layouts.size - 1};
        }
        for (const [name, candidate] of missing) layouts.set(name, await probe.show(candidate));
    }
};

/**
 * @param {number} x an offset
 * @param {number} y
 * @returns {number} both in one
 */
const key = (x, y) => (y + 32768) * 65536 + (x + 32768);

/**
 * @param {Box} box offsets to decide
 * @param {Map<number, boolean>} decided those that are, by key; more are added
 * @param {(dx: number, dy: number) => {candidate: Candidate | null, missing: boolean}} drag plays one drag
 * @param {Set<string>} names of the wanted connections
 * @returns {Map<string, Candidate>} previews whose layout must be known to go on
 */
const play = (box, decided, drag, names) => {
    /** @type {Map<string, Candidate>} */
    const missing = new Map();
    for (let y = box.top; y <= box.bottom; y++) {
        for (let x = box.left; x <= box.right; x++) {
            if (decided.has(key(x, y))) continue;
            const end = drag(x, y);
            if (!end.missing) decided.set(key(x, y), end.candidate !== null && names.has(nameOf(end.candidate)));
            else if (end.candidate) missing.set(nameOf(end.candidate), end.candidate);
        }
    }
    return missing;
};

module.exports = {endRegion, windowOf};
