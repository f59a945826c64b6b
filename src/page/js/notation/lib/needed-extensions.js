// @ts-check
// Loads the extensions whose blocks are about to be made.

/** Frames in which an extension's blocks become known; one or two are usual. A busy machine draws as many, only later. */
const MOST_FRAMES = 600;

/** @returns {Promise<void>} after the next frame and the task that follows */
const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));

/**
 * @param {import('../../types/page').Ctx} ctx the editor
 * @param {string[]} known extensions of the catalogue
 * @param {Set<string>} opcodes in use
 * @returns {Promise<string[]>} the extensions that are needed; the editor knows their blocks
 */
const loadExtensions = async ({SB, vm, fail}, known, opcodes) => {
    const typesOf = (/** @type {string} */ id) => [...opcodes].filter(opcode => opcode.startsWith(`${id}_`));
    const needed = known.filter(id => typesOf(id).length > 0);
    for (const id of needed) {
        if (!vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
        const isKnown = () => typesOf(id).every(type => SB.Blocks[type]);
        for (let frames = 0; !isKnown() && frames < MOST_FRAMES; frames++) await frame();
        if (!isKnown()) fail('extension_not_loaded', `the editor does not know the blocks of the extension ${id}`);
    }
    return needed;
};

module.exports = {loadExtensions};
