// @ts-check
// The editor draws all blocks of its palette when it mounts and again when it sets its language, both behind the screen that
// says that the project is being loaded. When it is, the palette is made anew for its sprites. Here the first two have the
// categories alone.

/** A category with its blocks; none lies within another. */
const CATEGORY = /<category\b([^>]*)>[^]*?<\/category>/g;

/**
 * @param {string} toolboxXML the palette as the editor describes it
 * @returns {string} the same categories with nothing in them
 */
export const withoutBlocks = toolboxXML =>
    toolboxXML.replace(CATEGORY, (_, attributes) => `<category${attributes.replace(/\bcustom="[^"]*"/, '')}></category>`);

/**
 * Empties the palette of an editor that has not mounted.
 * @param {any} store the editor's Redux store
 */
export const emptyPalette = store => {
    const {toolboxXML} = store.getState().scratchGui.toolbox;
    store.dispatch({type: 'scratch-gui/toolbox/UPDATE_TOOLBOX', toolboxXML: withoutBlocks(toolboxXML)});
};
