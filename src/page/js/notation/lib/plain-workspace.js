// @ts-check
// A workspace that nobody sees: Blockly's own blocks with the editor's definitions and its rules about what fits
// together, but nothing that is drawn.

/** @param {any} Block Blockly's block that is not drawn @returns {any} one that takes the calls that definitions and fields make on drawn ones */
const plainBlock = Block =>
    class extends Block {
        /** @param {any[]} args workspace, type and id */
        constructor(...args) {
            super(...args);
            // Left to subclasses by Blockly.
            this.doInit_();
        }
        setDragStrategy() {}
        // Asked for by the field of the micro:bit's lights.
        getColourSecondary() {
            return '';
        }
        getColourTertiary() {
            return '';
        }
        showContextMenu() {}
        initSvg() {}
        render() {}
    };

/**
 * @param {{SB: any, workspace: any}} blocks the editor's
 * @returns {any} an empty workspace with the rules of the editor's own; to be disposed
 */
const plainWorkspace = ({SB, workspace}) => {
    const PlainBlock = plainBlock(SB.Block);
    const plain = new SB.Workspace(workspace.options);
    plain.newBlock = (/** @type {string} */ type, /** @type {string | undefined} */ id) => new PlainBlock(plain, type, id);
    return plain;
};

module.exports = {plainWorkspace};
