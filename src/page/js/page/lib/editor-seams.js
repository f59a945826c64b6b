// @ts-check
// Where the generations of the editor differ, a name for each difference: page functions that run in both ask here. What
// has no name here is either the same in both or not used in the older one, in which all other page functions refuse to
// run (prelude.js).

/** @typedef {{local: any, neighbour: any}} Candidate two connections that would be joined */
/** @typedef {{block: any, palette: boolean, candidate: Candidate | null}} Carried */
/**
 * @typedef {object} Seams
 * @property {string} name of the generation
 * @property {string} fiberKey how the name of the property begins under which React keeps an element's fiber
 * @property {string | null} pushMethod of connections, that pushes neighbours away by chance
 * @property {(flyout: any) => number | null} glideTarget where the palette is on its way to; null at rest
 * @property {(flyout: any) => void} endGlide brings a palette that is on its way to where it goes
 * @property {(flyout: any, y: number) => void} scrollPalette scrolls to so many pixels below its top
 * @property {(workspace: any, id: string) => boolean} openCategory as a click on it does; false if there is none
 * @property {(workspace: any) => [number, number]} undoDepth how much can be undone and redone
 * @property {(db: any) => [any, number, number][]} placesIn a database of connections: each with where it lies
 * @property {(block: any) => Element} outline what is drawn of a block itself
 * @property {(workspace: any) => Carried | null} carried the block that the pointer carries, if it does
 * @property {(workspace: any) => boolean} panning whether the pointer moves the canvas
 * @property {(connection: any) => string | null} inputOf the input that a connection belongs to
 * @property {(Connection: any, dragged: any, end: any) => any} holderOf where a block goes that a dragged one pushes out of its
 *   place, as a connection; null if nowhere, and in the older generation, which does not tell ahead
 */

/** @type {Record<'current' | 'reference', Seams>} */
const SEAMS = {
    current: {
        name: 'current',
        fiberKey: '__reactFiber$',
        pushMethod: 'bumpAwayFrom',
        glideTarget: flyout => flyout.scrollTarget ?? null,
        endGlide: flyout => SEAMS.current.scrollPalette(flyout, flyout.scrollTarget),
        scrollPalette: (flyout, y) => {
            // The palette ignores category changes while it has a target, so the target is dropped first.
            flyout.scrollTarget = undefined;
            flyout.getWorkspace().scrollbar?.setY(y);
        },
        openCategory: (workspace, id) => {
            const toolbox = workspace.getToolbox();
            const item = toolbox.getToolboxItems().find((/** @type {any} */ one) => one.isSelectable() && one.getId() === id);
            if (!item) return false;
            toolbox.setSelectedItem(item);
            workspace.getFlyout().scrollToCategory(item);
            return true;
        },
        undoDepth: workspace => [workspace.getUndoStack().length, workspace.getRedoStack().length],
        placesIn: db => db.connections.map((/** @type {any} */ one) => [one, one.x, one.y]),
        outline: block => block.pathObject.svgPath,
        carried: workspace => {
            const gesture = workspace.currentGesture_;
            const block = gesture && gesture.dragger && gesture.dragger.draggable;
            const strategy = block && block.dragStrategy;
            return strategy ? {block, palette: Boolean(gesture.flyout), candidate: strategy.connectionCandidate || null} : null;
        },
        panning: ({currentGesture_: gesture}) => Boolean(gesture && gesture.workspaceDragger && gesture.dragging),
        inputOf: connection => connection.getParentInput()?.name ?? null,
        holderOf: (Connection, dragged, end) => Connection.getConnectionForOrphanedConnection(dragged, end)
    },
    // scratch-gui 5: Blockly with gestures, insertion markers and a palette that glides frame by frame.
    reference: {
        name: 'reference',
        fiberKey: '__reactInternalInstance$',
        // It pushes by one distance always.
        pushMethod: null,
        // At 0 the editor takes the target for none, and leaves it there.
        glideTarget: flyout => flyout.scrollTarget || null,
        // The palette's own next frame finds it there, and drops the target.
        endGlide: flyout => flyout.scrollbar_.set(flyout.scrollTarget),
        scrollPalette: (flyout, y) => {
            flyout.scrollTarget = null;
            flyout.scrollbar_.set(y);
        },
        openCategory: (workspace, id) => {
            const toolbox = workspace.getToolbox();
            if (!toolbox.categoryMenu_.categories_.some((/** @type {any} */ one) => one.id_ === id)) return false;
            toolbox.setSelectedCategoryById(id);
            return true;
        },
        undoDepth: workspace => [workspace.undoStack_.length, workspace.redoStack_.length],
        placesIn: db => db.connections_.map((/** @type {any} */ one) => [one, one.x_, one.y_]),
        outline: block => block.svgPath_,
        carried: workspace => {
            const gesture = workspace.currentGesture_;
            const dragger = gesture && gesture.blockDragger_;
            if (!dragger) return null;
            const {localConnection_: local, closestConnection_: neighbour} = dragger.draggedConnectionManager_;
            const candidate = local && neighbour ? {local, neighbour} : null;
            return {block: dragger.draggingBlock_, palette: Boolean(gesture.flyout_), candidate};
        },
        panning: ({currentGesture_: gesture}) => Boolean(gesture && gesture.isDraggingWorkspace_),
        inputOf: connection =>
            connection.getSourceBlock().inputList.find((/** @type {any} */ one) => one.connection === connection)?.name ?? null,
        holderOf: () => null
    }
};

/** A page has one editor for its life. */
let here = SEAMS.current;

/** @param {'current' | 'reference'} generation of the editor that this page has, as its host says */
const enter = generation => {
    here = SEAMS[generation];
};

/** @returns {Seams} those of the editor that this page has */
const seams = () => here;

module.exports = {SEAMS, enter, seams};
