// @ts-check
// The palette of the running editor: which blocks the editing target can have, with their default blocks.
// Nothing here is a list of blocks typed in by hand, except which extensions need no network.

const {seams} = require('./editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */

/** Extensions of the editor that work without network or hardware, by the prefix of their blocks. */
const OFFLINE_EXTENSIONS = ['pen', 'music'];

/** Key of the palette's callback that makes the blocks of the Variables category. */
const VARIABLE_BLOCKS = 'VARIABLE';

/**
 * The variable blocks as they would be with a variable and a list present; they are not in the toolbox.
 * @param {Ctx} ctx the page function's context
 * @returns {Element[]} one template a block type
 */
const variableBlocks = ({SB, workspace}) => {
    const spare = new SB.Workspace();
    try {
        spare.getVariableMap().createVariable('variable', SB.SCALAR_VARIABLE_TYPE);
        spare.getVariableMap().createVariable('list', SB.LIST_VARIABLE_TYPE);
        const standIn = {
            getVariablesOfType: (/** @type {string} */ type) => spare.getVariableMap().getVariablesOfType(type),
            registerButtonCallback: () => {}
        };
        return workspace.getToolboxCategoryCallback(VARIABLE_BLOCKS)(standIn)
            .filter((/** @type {Element} */ element) => element.tagName.toLowerCase() === 'block');
    } finally {
        spare.dispose();
    }
};

/** @typedef {{id: string, name: string, custom: string | null, blocks: Element[]}} Category */

/** @type {{xml: string, categories: Category[]} | null} The last palette read; it changes with target, costume and extension. */
let last = null;

/**
 * @param {Ctx} ctx the page function's context
 * @returns {Category[]} the palette's categories; their elements are shared, so copy before changing one
 */
const categories = ctx => {
    const xml = ctx.state.store.getState().scratchGui.toolbox.toolboxXML;
    if (last && last.xml === xml) return last.categories;
    const root = /** @type {Element} */ (seams().parseXml(ctx.SB, xml));
    const read = Array.from(root.querySelectorAll('category'), category => ({
        id: seams().categoryId(category) || '',
        name: seams().categoryName(ctx.SB, category) || '',
        custom: category.getAttribute('custom'),
        blocks: category.getAttribute('custom') === VARIABLE_BLOCKS ? variableBlocks(ctx) :
            Array.from(category.children).filter(child => child.tagName.toLowerCase() === 'block')
    }));
    last = {xml, categories: read};
    return read;
};

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type a block type
 * @returns {Element | null} its template; null when the palette does not have it for the editing target
 */
const template = (ctx, type) => {
    for (const category of categories(ctx)) {
        const found = category.blocks.find(block => block.getAttribute('type') === type);
        if (found) return found;
    }
    return null;
};

/**
 * @param {Ctx} ctx the page function's context
 * @returns {string[]} every block type of the palette
 */
const types = ctx => categories(ctx).flatMap(category =>
    category.blocks.map(block => block.getAttribute('type') || ''));

/**
 * @param {Ctx} ctx the page function's context
 * @param {string} type a block type such as pen_clear
 * @returns {Promise<string | null>} the extension that was loaded for it, if one was
 */
const loadExtensionFor = async ({vm}, type) => {
    const id = OFFLINE_EXTENSIONS.find(name => type.startsWith(`${name}_`));
    if (!id || vm.extensionManager.isExtensionLoaded(id)) return null;
    await vm.extensionManager.loadExtensionURL(id);
    return id;
};

module.exports = {OFFLINE_EXTENSIONS, categories, loadExtensionFor, template, types};
