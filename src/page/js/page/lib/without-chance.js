// @ts-check
// Takes chance out of what the editor draws, so that the same steps lead to the same picture. It does so in two places:
// how far Blockly pushes loose neighbours apart, which it also does to each definition of a My Block when a project is
// loaded (its prototype lies over it for a moment), and the colour that a new slot for a colour begins with. Chance in
// running projects is theirs; judging seeds it elsewhere.

const {seams} = require('../../shared/lib/editor-seams');

/** The colour that colour slots begin with. */
const COLOUR = '#9966ff';
/** What chance gives while blocks are pushed: the least distance. */
const LEAST = () => 0;

/**
 * @param {(...args: any[]) => any} push
 * @returns {(...args: any[]) => any} the same without chance
 */
const withoutChance = push => function (/** @type {any[]} */ ...args) {
    const {random} = Math;
    Math.random = LEAST;
    try {
        // @ts-ignore a method keeps its object
        return push.apply(this, args);
    } finally {
        Math.random = random;
    }
};

/**
 * @param {any} SB the editor's ScratchBlocks
 */
const steadyPushes = ({RenderedConnection: {prototype}}) => {
    const {pushMethod} = seams();
    if (pushMethod) prototype[pushMethod] = withoutChance(prototype[pushMethod]);
};

/**
 * @param {any} SB the editor's ScratchBlocks
 * @param {any} workspace the main workspace, whose palette may be filled already
 */
const steadyColours = ({Blocks: {colour_picker: kind}}, workspace) => {
    const {init} = kind;
    kind.init = function () {
        init.call(this);
        this.setFieldValue(COLOUR, 'COLOUR');
    };
    const palette = workspace.getFlyout()?.getWorkspace();
    for (const block of palette?.getAllBlocks(false) ?? []) {
        if (block.type === 'colour_picker') block.setFieldValue(COLOUR, 'COLOUR');
    }
};

/**
 * To be called once a page, when its editor is there.
 * @param {{SB: any, workspace: any}} blocks the editor's
 */
const takeChanceOut = ({SB, workspace}) => {
    steadyPushes(SB);
    steadyColours(SB, workspace);
};

module.exports = {takeChanceOut};
