// @ts-check
// What a drag is to bring about, as links between blocks; and which links a connection of two ends would make.

const {seams} = require('../../shared/lib/editor-seams');

/**
 * One block hanging on another: below it (no input), or in one of its inputs.
 * @typedef {{parent: string, input: string | null, child: string}} Link
 */
/**
 * What the drag is for. `below` and `above`: next to the target. `between`: below the target and above what
 * follows it now. `into`: first in a mouth, or in a slot. `atop`: first in a mouth and above what is first in it now.
 * `around`: the target comes into the source's own mouth or slot.
 * @typedef {{kind: 'below' | 'above' | 'between', target: any} | {kind: 'into' | 'atop' | 'around', target: any, input: string}} Relation
 */

/**
 * @param {Relation} relation what the drag is for
 * @param {any} source the block that is dragged
 * @param {any} tail the last block of its stack
 * @returns {Link[] | null} the links that must be there afterwards; null if the blocks can't have that relation
 */
const wantedLinks = (relation, source, tail) => {
    const {target} = relation;
    const below = {parent: target.id, input: null, child: source.id};
    const above = (/** @type {any} */ lower) => ({parent: tail.id, input: null, child: lower.id});
    switch (relation.kind) {
        case 'below':
            return [below];
        case 'above':
            return [above(target)];
        case 'between': {
            const lower = target.getNextBlock();
            return lower ? [below, above(lower)] : null;
        }
        case 'into':
            return target.getInput(relation.input) ? [{parent: target.id, input: relation.input, child: source.id}] : null;
        case 'atop': {
            const first = target.getInputTargetBlock(relation.input);
            return first ? [{parent: target.id, input: relation.input, child: source.id}, above(first)] : null;
        }
        case 'around':
            return source.getInput(relation.input) ? [{parent: source.id, input: relation.input, child: target.id}] : null;
        default:
            return null;
    }
};

/**
 * @param {any} connection a connection that holds another block
 * @param {any} child the block that it would hold
 * @returns {Link} that it does
 */
const link = (connection, child) => {
    return {parent: connection.getSourceBlock().id, input: seams().inputOf(connection)?.name ?? null, child: child.id};
};

/**
 * @param {any} Connection the editor's class, which knows where a block goes that is pushed out of its place
 * @param {any} local a connection of the dragged stack
 * @param {any} neighbour the connection it would be joined with
 * @returns {Link[]} the links that would be made
 */
const linksOf = (Connection, local, neighbour) => {
    if (local.isSuperior()) return [link(local, neighbour.getSourceBlock())];
    const dragged = local.getSourceBlock();
    const links = [link(neighbour, dragged)];
    const pushed = neighbour.targetBlock();
    if (pushed && !pushed.isShadow() && pushed !== dragged) {
        const end = pushed.previousConnection || pushed.outputConnection;
        const holder = seams().holderOf(Connection, dragged, end);
        if (holder) links.push(link(holder, pushed));
    }
    return links;
};

/**
 * @param {Link[]} links that would be made
 * @param {Link[]} wanted that must be there
 * @returns {boolean} whether all of them would
 */
const makes = (links, wanted) =>
    wanted.every(({parent, input, child}) =>
        links.some(made => made.parent === parent && made.input === input && made.child === child));

module.exports = {linksOf, makes, wantedLinks};
