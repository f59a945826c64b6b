// @ts-check
// Blockly blocks for tests: only what the page functions ask of them.

/** @type {(name: string, text: string, more?: object) => any} */
const field = (name, text, more = {}) => ({name, getText: () => text, isVisible: () => true, isClickable: () => true, EDITABLE: true, isFullBlockField: () => false, ...more});

const label = (/** @type {string} */ text) => field('', text, {EDITABLE: false});
const value = (/** @type {string} */ name, /** @type {string} */ text) => field(name, text);
const choice = (/** @type {string} */ name, /** @type {string} */ text) => field(name, text, {getOptions: () => []});
const picture = (/** @type {string} */ text) => field('', text, {EDITABLE: false, imageElement: {}});

/** @type {(name: string, child: any, ...fields: any[]) => any} */
const slot = (name, child, ...fields) => ({
    name,
    fieldRow: fields,
    isVisible: () => true,
    connection: child === null ? null : {targetBlock: () => child}
});

/** @type {(type: string, inputs: any[], how?: {shadow?: boolean, output?: string, node?: any, movable?: boolean}) => any} */
const block = (type, inputs, {shadow = false, output, node = null, movable = true} = {}) => {
    const made = {
        type,
        inputList: inputs,
        outputConnection: shadow || output ? {getCheck: () => (output ? [output] : null)} : null,
        parent: /** @type {any} */ (null),
        isShadow: () => shadow,
        isMovable: () => movable,
        isInFlyout: false,
        getParent: () => made.parent,
        getIcons: () => [],
        getChildren: () => children,
        getSvgRoot: () => node,
        pathObject: {svgPath: node},
        getInputWithBlock: (/** @type {any} */ child) => inputs.find(input => input.connection?.targetBlock() === child),
        getDescendants: () => [made, ...children.flatMap(child => child.getDescendants())]
    };
    const children = inputs.flatMap(input => input.connection?.targetBlock() ?? []);
    for (const child of children) child.parent = made;
    return made;
};

module.exports = {block, choice, label, picture, slot, value};
