// @ts-check
// The inside of the current editor, by the names of `editor-seams`: Blockly 12 with the plugins of scratch-blocks 2.

/** @typedef {import('./editor-seams').Seams} Seams */

/** @param {any} workspace @returns {any[]} the palette's categories */
const selectable = workspace => workspace.getToolbox().getToolboxItems().filter((/** @type {any} */ one) => one.isSelectable());

/** @type {Seams} */
const current = {
    name: 'current',
    fiberKey: '__reactFiber$',
    selectors: {
        block: '.blocklyBlock',
        category: '.blocklyToolboxCategory',
        greenFlag: '[class*="green-flag_green-flag-button_"]',
        stopButton: '[class*="stop-all_stop-all-button_"]',
        buttons: '.blocklyFoldoutIcon',
        tileName: '[role="button"]',
        zoomButtons: '.blocklyZoom',
        comments: '.blocklyComment',
        ghosts: '.blocklyAnimationLayer > *',
        overlays: '.blocklyZoom > *, .blocklyScrollbarHandle, .blocklyBubble, .blocklyComment'
    },

    complete: () => false,
    isDrawn: () => true,
    allWorkspaces: SB => SB.common.getAllWorkspaces(),
    blocksOfType: (workspace, type) => workspace.getBlocksByType(type),
    undoStacks: workspace => [workspace.getUndoStack(), workspace.getRedoStack()],
    scrollTo: (workspace, x, y) => workspace.scroll(x, y),
    drawQueued: (SB, workspace) => SB.renderManagement.triggerQueuedRenders(workspace),
    pushMethod: 'bumpAwayFrom',
    stopPushes: SB => {
        SB.config.snapRadius = 0;
    },

    categoryId: element => element.getAttribute('toolboxitemid'),
    categoryName: (_SB, element) => element.getAttribute('name'),
    categories: workspace => selectable(workspace).map(item => ({id: item.getId(), name: item.getName()})),
    openCategory: (workspace, id) => {
        const item = selectable(workspace).find(one => one.getId() === id);
        if (!item) return false;
        workspace.getToolbox().setSelectedItem(item);
        workspace.getFlyout().scrollToCategory(item);
        return true;
    },
    paletteEdge: flyout => flyout.getClientRect()?.right ?? null,
    glideTarget: flyout => flyout.scrollTarget ?? null,
    endGlide: flyout => current.scrollPalette(flyout, flyout.scrollTarget),
    scrollPalette: (flyout, y) => {
        // The palette ignores category changes while it has a target, so the target is dropped first.
        flyout.scrollTarget = undefined;
        flyout.getWorkspace().scrollbar?.setY(y);
    },
    checkBoxOf: block => {
        const icon = block.getIcons().find((/** @type {any} */ one) => one.getType().toString() === 'checkbox');
        const bubble = icon && icon.getBubble && icon.getBubble();
        return bubble && bubble.svgRoot ? {root: bubble.svgRoot, checked: Boolean(bubble.checked)} : null;
    },

    isHeld: (block, onCanvas) => !block.isShadow() && (!onCanvas || block.isMovable()),
    outline: block => block.pathObject.svgPath,
    commentOn: block => block.getCommentText(),
    looseComments: workspace => workspace.getTopComments(false).map((/** @type {any} */ one) => one.getText()),
    boundsOf: block => block.getBoundingRectangle(),
    fieldBlock: field => field.getSourceBlock(),
    isOperable: field => Boolean(field.EDITABLE && field.isClickable()),
    fillsBlock: field => field.isFullBlockField(),
    setValue: (field, value) => field.setValue(value),
    isPicture: field => field.imageElement !== undefined,
    variableType: field => (typeof field.getDefaultType === 'function' ? field.getDefaultType() : field.getVariable().getType()),

    placesIn: db => db.connections.map((/** @type {any} */ one) => [one, one.x, one.y]),
    placeOf: connection => connection,
    checkOf: connection => connection.getCheck(),
    inputOf: connection => connection.getParentInput() ?? null,
    fits: (workspace, above, below) => workspace.connectionChecker.canConnect(above, below, false),
    giveShadow: (connection, dom) => connection.setShadowDom(dom),
    holderOf: (Connection, dragged, end) => Connection.getConnectionForOrphanedConnection(dragged, end),

    carried: workspace => {
        const gesture = workspace.currentGesture_;
        const block = gesture && gesture.dragger && gesture.dragger.draggable;
        const strategy = block && block.dragStrategy;
        return strategy ? {block, palette: Boolean(gesture.flyout), candidate: strategy.connectionCandidate || null} : null;
    },
    panning: ({currentGesture_: gesture}) => Boolean(gesture && gesture.workspaceDragger && gesture.dragging),

    variableName: model => model.getName(),
    // What the editor's own dialog does after "OK" (scratch-blocks: variables.ts, createVariable).
    createVariable: (SB, workspace, {name, type, isLocal}) => {
        const Model = SB.registry.getClass(SB.registry.Type.VARIABLE_MODEL, SB.registry.DEFAULT);
        const model = new Model(workspace, name, type, undefined, isLocal, false);
        workspace.getVariableMap().addVariable(model);
        SB.Events.fire(new (SB.Events.get(SB.Events.VAR_CREATE))(model));
        return model;
    },
    callersOf: (SB, proccode, workspace, definition) => SB.getCallers(proccode, workspace, definition, false),
    prototypeTag: 'block',
    newElement: (SB, tag) => SB.utils.xml.createElement(tag),
    parseXml: (SB, text) => SB.utils.xml.textToDom(text),
    appendBlocks: (SB, workspace, state) => SB.serialization.blocks.append(state, workspace, {recordUndo: true}),
    freshId: SB => SB.utils.idGenerator.genUid()
};

module.exports = {current};
