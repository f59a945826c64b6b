// @ts-check
// Loads the extensions whose blocks are about to be made.

/** How long an extension's blocks may take to be known, in milliseconds; a frame or two are usual. */
const LIMIT_MS = 10000;

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
    const deadline = Date.now() + LIMIT_MS;
    for (const id of needed) {
        if (!vm.extensionManager.isExtensionLoaded(id)) await vm.extensionManager.loadExtensionURL(id);
        const isKnown = () => typesOf(id).every(type => SB.Blocks[type]);
        while (!isKnown() && Date.now() < deadline) await frame();
        if (!isKnown()) fail('extension_not_loaded', `the editor does not know the blocks of the extension ${id}`);
    }
    return needed;
};

module.exports = {loadExtensions};
