// @ts-check
// Picks a block up with the editor's own drag strategy, shows previews at will, reads where connections lie, and
// puts everything back. All of it happens between two frames and with events off: nobody sees it, and neither the
// VM nor the undo stack hears of it.

/** @typedef {import('./drag-search').Layout} Layout */
/** @typedef {import('./drag-search').Candidate} Candidate */

/** Microtasks within which a preview has found its place after the render that it waits for. */
const TURNS = 4;

/** Numbers connections, so that they can be named in plain data. */
class Numbers {
    constructor() {
        /** @type {Map<any, number>} */
        this.known = new Map();
        /** @type {any[]} */
        this.connections = [];
    }

    /**
     * @param {any} connection any connection
     * @returns {number} its number
     */
    of(connection) {
        let number = this.known.get(connection);
        if (number === undefined) {
            number = this.connections.push(connection) - 1;
            this.known.set(connection, number);
        }
        return number;
    }
}

/**
 * What is drawn over what, which previews mix up.
 * @param {any} workspace the main workspace
 * @returns {Map<any, any[]>} the children of each node that has blocks in it
 */
const drawingOrder = workspace => {
    const order = new Map();
    for (const block of workspace.getAllBlocks(false)) {
        const {parentNode} = block.getSvgRoot();
        if (!order.has(parentNode)) order.set(parentNode, [...parentNode.childNodes]);
    }
    return order;
};

/** @param {Map<any, any[]>} order what `drawingOrder` found before */
const restoreOrder = order => {
    for (const [node, children] of order) {
        const now = [...node.childNodes];
        // A default block that was taken out of its slot comes back as another one; then it is alone in there.
        const same = now.length === children.length && children.every(child => child.parentNode === node);
        if (same && now.some((child, at) => child !== children[at])) node.append(...children);
    }
};

/**
 * Connections at the same height lie in the order in which they came, and come anew when their block is moved.
 * @param {any} workspace the main workspace
 * @returns {() => void} puts them back into the order in which they are now
 */
const searchOrder = workspace => {
    const kept = workspace.connectionDBList.map((/** @type {any} */ base) => [...base.connections]);
    return () => workspace.connectionDBList.forEach((/** @type {any} */ {connections: now}, /** @type {number} */ at) => {
        const there = new Set(now);
        const same = now.length === kept[at].length && kept[at].every((/** @type {any} */ one) => there.has(one));
        if (same) now.splice(0, now.length, ...kept[at]);
    });
};

/** One block in the air. */
class Probe {
    /**
     * Picks it up. `end` must be called, whatever happens.
     * @param {any} SB ScratchBlocks
     * @param {any} workspace the main workspace
     * @param {any} source a block of it, or of its palette
     */
    constructor(SB, workspace, source) {
        this.SB = SB;
        this.workspace = workspace;
        this.numbers = new Numbers();
        SB.Events.disable();
        // A render outside a drag pushes neighbours away, by random distances.
        workspace.isDragging = () => true;
        // Blocks in the air would get the focus and lie on top of others afterwards.
        this.layers = workspace.getLayerManager();
        this.layers.moveToDragLayer = this.layers.moveOffDragLayer = () => {};
        this.order = drawingOrder(workspace);
        this.restoreSearchOrder = searchOrder(workspace);
        // At the end of a drag the canvas is measured anew, and scrolled by a fraction of a pixel.
        workspace.setResizesEnabled(false);
        workspace.setResizesEnabled = () => {};
        this.fromPalette = source.isInFlyout;
        this.block = source.isInFlyout ? workspace.getFlyout().createBlock(source) : source;
        this.strategy = this.block.dragStrategy;
        this.strategy.startDrag();
        this.locals = this.strategy.getLocalConnections(this.block);
        const last = this.block.lastConnectionInStack(true);
        this.tail = last ? last.getSourceBlock() : this.block;
    }

    /** @returns {Layout} where connections lie now */
    layout() {
        const checker = this.workspace.connectionChecker;
        /** @type {Layout['places']} */
        const places = new Map();
        const locals = this.locals.map((/** @type {any} */ local) => {
            const neighbours = [];
            for (const other of local.dbOpposite.connections) {
                const id = this.numbers.of(other);
                places.set(id, {x: other.x, y: other.y});
                if (checker.canConnect(local, other, true, Infinity)) neighbours.push({id, x: other.x, y: other.y, fits: true});
            }
            return {x: local.x, y: local.y, neighbours};
        });
        return {locals, places};
    }

    /**
     * Shows a preview, or none, and waits until it is drawn.
     * @param {Candidate | null} candidate what it shows
     * @returns {Promise<Layout>} where connections lie then
     */
    async show(candidate) {
        const {strategy} = this;
        strategy.connectionCandidate = null;
        if (candidate) {
            const chosen = {local: this.locals[candidate.local], neighbour: this.numbers.connections[candidate.neighbour], distance: 0};
            strategy.getConnectionCandidate = () => chosen;
            strategy.updateConnectionPreview(this.block, {x: 0, y: 0});
            delete strategy.getConnectionCandidate;
            strategy.connectionCandidate = null;
        } else {
            strategy.connectionPreviewer.hidePreview();
        }
        await this.rendered();
        return this.layout();
    }

    async rendered() {
        this.SB.renderManagement.triggerQueuedRenders();
        for (let turn = 0; turn < TURNS; turn++) await null;
    }

    /** Puts everything back. */
    async end() {
        const {SB, block, strategy, workspace} = this;
        try {
            delete strategy.getConnectionCandidate;
            strategy.revertDrag();
            strategy.endDrag();
            await this.rendered();
            if (this.fromPalette) block.dispose(false);
            await this.rendered();
            restoreOrder(this.order);
            this.restoreSearchOrder();
        } finally {
            delete workspace.isDragging;
            delete workspace.setResizesEnabled;
            workspace.resizesEnabled = true;
            delete this.layers.moveToDragLayer;
            delete this.layers.moveOffDragLayer;
            SB.Events.enable();
        }
    }
}

module.exports = {Probe};
