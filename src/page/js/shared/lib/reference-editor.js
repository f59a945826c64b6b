// @ts-check
// The inside of the reference editor, by the names of `editor-seams`: scratch-gui 5 with scratch-blocks 1, a Blockly with
// gestures, insertion markers and a palette that glides frame by frame.

const {current} = require('./current-editor');
const {stateXml} = require('./state-xml');

/** @typedef {import('./editor-seams').Seams} Seams */

/**
 * Whether blocks can follow a stop block is kept in a mutation, without which those that do can't be drawn. The current
 * editor tells it by the field, and saves no mutation.
 * @param {any} block of the VM
 */
const lacksMutation = ({opcode, mutation}) => opcode === 'control_stop' && !mutation;

/** @param {any} block of the VM, that stops scripts */
const addMutation = block => {
    const goesOn = block.fields.STOP_OPTION?.value === 'other scripts in sprite';
    block.mutation = {tagName: 'mutation', children: [], hasnext: String(goesOn)};
};

/** @param {any} SB @param {any} workspace @returns {import('./state-xml').Writer} */
const writer = (SB, workspace) => {
    const parsed = (/** @type {string} */ text) => SB.Xml.textToDom(`<xml>${text}</xml>`).firstElementChild;
    /** @type {import('./state-xml').Writer['element']} */
    const element = (tag, attributes, children = []) => {
        const made = parsed(`<${tag}/>`);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        made.append(...children);
        return made;
    };
    /** @type {import('./state-xml').Writer['variable']} */
    const variable = (name, id) => {
        const {type, name: words} = workspace.getVariableById(id);
        const field = element('field', {name, id, variabletype: type});
        field.textContent = words;
        return field;
    };
    return {element, parsed, variable, prototypeTag: 'shadow'};
};

/** @type {Seams} */
const reference = {
    name: 'reference',
    fiberKey: '__reactInternalInstance$',
    selectors: {
        block: 'g[data-id]',
        category: '.scratchCategoryMenuItem',
        greenFlag: '[class*="green-flag_green-flag_"]',
        stopButton: '[class*="stop-all_stop-all_"]',
        buttons: '[class*="menu-bar_hoverable_"], [class*="selector_list-item_"]',
        tileName: '[class*="sprite-selector-item_sprite-name_"]',
        zoomButtons: '.blocklyZoom > image',
        comments: '.blocklyBubbleCanvas > g',
        ghosts: '.blocklySvg > g[data-id]',
        overlays: '.blocklyZoom > *, .blocklyScrollbarHandle, .blocklyBubbleCanvas > *'
    },

    complete: targets => {
        const lacking = targets.flatMap(target => Object.values(target.blocks._blocks)).filter(lacksMutation);
        lacking.forEach(addMutation);
        return lacking.length > 0;
    },
    // A block that it fails to draw is noted in its log only.
    isDrawn: workspace => workspace.getAllBlocks(false).every((/** @type {any} */ block) => block.rendered),
    allWorkspaces: SB => Object.values(SB.Workspace.WorkspaceDB_),
    blocksOfType: (workspace, type) => workspace.getAllBlocks(false).filter((/** @type {any} */ block) => block.type === type),
    undoStacks: workspace => [workspace.undoStack_, workspace.redoStack_],
    scrollTo: (workspace, x, y) => {
        // It keeps within what it believes to be there since the last drag began.
        workspace.startDragMetrics = workspace.getMetrics();
        workspace.scroll(x, y);
        workspace.startDragMetrics = null;
    },
    // It draws at once.
    drawQueued: () => {},
    // It pushes by one distance always.
    pushMethod: null,
    stopPushes: SB => {
        SB.SNAP_RADIUS = 0;
    },

    categoryId: element => element.getAttribute('id'),
    categoryName: (SB, element) => SB.utils.replaceMessageReferences(element.getAttribute('name') || ''),
    categories: workspace => workspace.getToolbox().categoryMenu_.categories_.map((/** @type {any} */ {id_: id, name_: name}) => ({id, name})),
    openCategory: (workspace, id) => {
        if (!reference.categories(workspace).some(one => one.id === id)) return false;
        workspace.getToolbox().setSelectedCategoryById(id);
        return true;
    },
    paletteEdge: flyout => {
        const box = flyout.getClientRect();
        return box ? box.left + box.width : null;
    },
    // At 0 the editor takes the target for none, and leaves it there.
    glideTarget: flyout => flyout.scrollTarget || null,
    // The palette's own next frame finds it there, and drops the target.
    endGlide: flyout => flyout.scrollbar_.set(flyout.scrollTarget),
    scrollPalette: (flyout, y) => {
        flyout.scrollTarget = null;
        flyout.scrollbar_.set(y);
    },
    checkBoxOf: ({flyoutCheckbox: box}) => (box ? {root: box.svgRoot, checked: Boolean(box.clicked)} : null),

    // Parameters of a definition are default blocks of its wording, and leave copies behind.
    isHeld: (block, onCanvas) => (onCanvas && block.isShadow() && /^argument_reporter_/.test(block.type)) || current.isHeld(block, onCanvas),
    outline: block => block.svgPath_,
    commentOn: block => (block.comment ? block.getCommentText() : null),
    looseComments: workspace => workspace.getTopComments(false).filter((/** @type {any} */ one) => one.blockId === undefined)
        .map((/** @type {any} */ one) => one.getText()),
    boundsOf: block => {
        const {topLeft, bottomRight} = block.getBoundingRectangle();
        return {left: topLeft.x, top: topLeft.y, right: bottomRight.x, bottom: bottomRight.y};
    },
    fieldBlock: field => field.sourceBlock_,
    isOperable: field => Boolean(field.isCurrentlyEditable()),
    // Only default blocks are edited by a click anywhere on them.
    fillsBlock: () => false,
    setValue: (field, value) => {
        // What a choice changes besides, such as whether blocks can follow a stop block, is done by the validator.
        const valid = field.getOptions ? field.callValidator(value) : value;
        if (valid !== null) field.setValue(valid);
    },
    isPicture: field => Boolean(field.imageElement_) && !field.getOptions,
    variableType: field => field.defaultType_ ?? field.getVariable().type,

    placesIn: db => db.connections_.map((/** @type {any} */ one) => [one, one.x_, one.y_]),
    placeOf: ({x_: x, y_: y}) => ({x, y}),
    checkOf: connection => connection.check_,
    inputOf: connection => connection.getSourceBlock().inputList.find((/** @type {any} */ one) => one.connection === connection) ?? null,
    fits: (_workspace, above, below) => above.canConnectWithReason_(below) === 0,
    giveShadow: (connection, dom) => {
        connection.setShadowDom(dom);
        connection.respawnShadow_();
    },
    holderOf: () => null,

    carried: workspace => {
        const gesture = workspace.currentGesture_;
        const dragger = gesture && gesture.blockDragger_;
        if (!dragger) return null;
        const {localConnection_: local, closestConnection_: neighbour} = dragger.draggedConnectionManager_;
        const candidate = local && neighbour ? {local, neighbour} : null;
        return {block: dragger.draggingBlock_, palette: Boolean(gesture.flyout_), candidate};
    },
    panning: ({currentGesture_: gesture}) => Boolean(gesture && gesture.isDraggingWorkspace_),

    variableName: model => model.name,
    // The model tells the program of itself.
    createVariable: (_SB, workspace, {name, type, isLocal}) => workspace.createVariable(name, type, null, isLocal, false),
    callersOf: (SB, proccode, workspace, definition) => SB.Procedures.getCallers(proccode, workspace, definition, false),
    prototypeTag: 'shadow',
    newElement: (SB, tag) => writer(SB, null).element(tag, {}),
    parseXml: (SB, text) => SB.Xml.textToDom(text),
    appendBlocks: (SB, workspace, state) => {
        const block = SB.Xml.domToBlock(stateXml(writer(SB, workspace), state), workspace);
        block.moveBy(state.x ?? 0, state.y ?? 0);
        return block;
    },
    freshId: SB => SB.utils.genUid()
};

module.exports = {reference};
