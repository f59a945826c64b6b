// @ts-check
// What the editor would connect at the end of a drag, without dragging: the search of Blockly's connection
// database and the rule of its drag strategy by which a preview that is shown keeps its place.
//
// A *layout* is where all connections lie while one preview is shown, or none. Previews move blocks aside and so
// change what the next move of the pointer finds; that is why the way of a drag matters and not its end alone.

/**
 * A connection that the search may find. The list of a local connection is in the database's order, from top to
 * bottom.
 * @typedef {{id: number, x: number, y: number, fits: boolean}} Neighbour
 */
/**
 * Of one layout: the dragged block's own connections where the database believes them to be, each with what it
 * may find; and where every connection lies.
 * @typedef {{locals: {x: number, y: number, neighbours: Neighbour[]}[], places: Map<number, {x: number, y: number}>}} Layout
 */
/**
 * What would be connected with what.
 * @typedef {{local: number, neighbour: number}} Candidate
 */
/** @typedef {{snap: number, keep: number, preference: number}} Radii */

/**
 * The search of `ConnectionDB.searchForClosest`: from the place where the connection would be inserted upwards,
 * then downwards; of equally near ones the later wins.
 * @param {Neighbour[]} rows in the database's order
 * @param {number} x where the connection is
 * @param {number} y and how far down
 * @param {number} limit largest distance
 * @returns {{id: number, distance: number} | null} the nearest that fits
 */
const closest = (rows, x, y, limit) => {
    /** @type {{id: number, distance: number} | null} */
    let best = null;
    let reach = limit;
    const look = (/** @type {Neighbour} */ row) => {
        if (Math.abs(row.y - y) > limit) return false;
        if (row.fits) {
            const distance = Math.sqrt((x - row.x) * (x - row.x) + (y - row.y) * (y - row.y));
            if (distance <= reach) {
                best = {id: row.id, distance};
                reach = distance;
            }
        }
        return true;
    };
    const from = insertion(rows, y);
    for (let at = from - 1; at >= 0 && look(rows[at]); at--);
    for (let at = from; at < rows.length && look(rows[at]); at++);
    return best;
};

/**
 * @param {Neighbour[]} rows sorted by y
 * @param {number} y where to insert
 * @returns {number} the index that `ConnectionDB.calculateIndexForYPos` gives
 */
const insertion = (rows, y) => {
    let low = 0;
    let high = rows.length;
    while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (rows[middle].y < y) low = middle + 1;
        else if (rows[middle].y > y) high = middle;
        else return middle;
    }
    return low;
};

/**
 * One move of the pointer.
 * @param {Layout} layout where things lie before it
 * @param {Candidate | null} current what the preview shows before it
 * @param {{dx: number, dy: number}} moved how far the block is from where it was picked up, in workspace units
 * @param {Radii} radii distances in workspace units
 * @returns {Candidate | null} what the preview shows after it
 */
const step = (layout, current, {dx, dy}, radii) => {
    /** @type {Candidate | null} */
    let found = null;
    let reach = current ? radii.keep : radii.snap;
    layout.locals.forEach(({x, y, neighbours}, local) => {
        const nearest = closest(neighbours, x + dx, y + dy, reach);
        if (!nearest) return;
        found = {local, neighbour: nearest.id};
        reach = nearest.distance;
    });
    if (!found || !current) return found;
    const own = layout.locals[current.local];
    const other = layout.places.get(current.neighbour);
    if (!other) return found;
    const distance = Math.hypot(own.x + dx - other.x, own.y + dy - other.y);
    return reach > distance - radii.preference ? current : found;
};

/**
 * @param {Candidate | null} candidate what a preview shows
 * @returns {string} a name for it
 */
const nameOf = candidate => (candidate ? `${candidate.local}|${candidate.neighbour}` : 'none');

/**
 * A whole drag. Its first move finds the block just picked up and nothing drawn anew yet.
 * @param {{dx: number, dy: number}[]} path offsets in workspace units
 * @param {Layout} start where things lie at the first move
 * @param {(candidate: Candidate | null) => Layout | null} layoutOf where things lie once a preview is drawn;
 * null if that isn't known yet
 * @param {Radii} radii distances in workspace units
 * @returns {{candidate: Candidate | null, missing: boolean}} what the release connects, or the preview whose
 * layout is missing
 */
const simulate = (path, start, layoutOf, radii) => {
    /** @type {Candidate | null} */
    let candidate = null;
    for (let at = 0; at < path.length; at++) {
        const layout = at === 0 ? start : layoutOf(candidate);
        if (!layout) return {candidate, missing: true};
        candidate = step(layout, candidate, path[at], radii);
    }
    return {candidate, missing: false};
};

module.exports = {closest, nameOf, simulate, step};
