// @ts-check
// Where the generations of the editor differ, a name for each difference: page functions that run in both ask here. What
// has no name here is either the same in both or not used in the older one, in which all other page functions refuse to
// run (prelude.js).

const {current} = require('./current-editor');
const {reference} = require('./reference-editor');

/** @typedef {{local: any, neighbour: any}} Candidate two connections that would be joined */
/** @typedef {{block: any, palette: boolean, candidate: Candidate | null}} Carried */
/**
 * @typedef {object} Selectors of CSS
 * @property {string} block what a block is drawn in
 * @property {string} category of the palette, to be clicked
 * @property {string} greenFlag
 * @property {string} stopButton
 * @property {string} buttons of its own kind: neither button elements nor parts by role
 * @property {string} tileName what of a sprite's tile bears its name
 * @property {string} zoomButtons
 * @property {string} comments
 * @property {string} ghosts what is left of blocks that shrink away
 * @property {string} overlays what lies over blocks inside the canvas
 */
/**
 * @typedef {object} Seams
 * @property {string} name of the generation
 * @property {string} fiberKey how the name of the property begins under which React keeps an element's fiber
 * @property {Selectors} selectors of what a page shows
 * @property {(targets: any[]) => boolean} complete gives blocks of the VM what the editor can't draw them without; whether any
 *   lacked it
 * @property {(workspace: any) => boolean} isDrawn whether all of its blocks are: one that can't be keeps the others from it
 * @property {(SB: any) => any[]} allWorkspaces of the page
 * @property {(workspace: any, type: string) => any[]} blocksOfType all blocks of a type in it
 * @property {(workspace: any) => [any[], any[]]} undoStacks what can be undone and redone, the next last
 * @property {(workspace: any, x: number, y: number) => void} scrollTo brings the origin to so many pixels, within its bounds
 * @property {(SB: any, workspace: any) => void} drawQueued draws what waits for the next frame
 * @property {string | null} pushMethod of connections, that pushes neighbours away by chance
 * @property {(SB: any) => void} stopPushes has loose neighbours stay where they are, for the rest of the page's life
 * @property {(element: Element) => string | null} categoryId of a category in the palette's XML
 * @property {(SB: any, element: Element) => string | null} categoryName that people see
 * @property {(workspace: any) => {id: string, name: string}[]} categories that the palette has
 * @property {(workspace: any, id: string) => boolean} openCategory as a click on it does; false if there is none
 * @property {(flyout: any) => number | null} paletteEdge its right edge on the page, in pixels; null if it is not shown
 * @property {(flyout: any) => number | null} glideTarget where the palette is on its way to; null at rest
 * @property {(flyout: any) => void} endGlide brings a palette that is on its way to where it goes
 * @property {(flyout: any, y: number) => void} scrollPalette scrolls to so many pixels below its top
 * @property {(block: any) => {root: Element, checked: boolean} | null} checkBoxOf a block of the palette, that shows its monitor
 * @property {(block: any, onCanvas: boolean) => boolean} isHeld whether it is dragged by itself, not as a part of another one
 * @property {(block: any) => Element} outline what is drawn of a block itself
 * @property {(block: any) => string | null} commentOn its text; null where there is none
 * @property {(workspace: any) => string[]} looseComments texts of those that are on no block
 * @property {(block: any) => {left: number, top: number, right: number, bottom: number}} boundsOf it with all below and in it,
 *   in workspace units
 * @property {(field: any) => any} fieldBlock the block that a field is on
 * @property {(field: any) => boolean} isOperable whether a click on it edits it
 * @property {(field: any) => boolean} fillsBlock whether a click anywhere on its block edits it
 * @property {(field: any, value: string) => void} setValue as somebody who types or chooses it does
 * @property {(field: any) => boolean} isPicture whether it shows a picture
 * @property {(field: any) => string} variableType which kind of variables a field names
 * @property {(db: any) => [any, number, number][]} placesIn in a database of connections: each with where it lies
 * @property {(connection: any) => {x: number, y: number}} placeOf where a connection lies, in workspace units
 * @property {(connection: any) => string[] | null} checkOf the types that it takes or gives; null for all
 * @property {(connection: any) => any} inputOf the input that a connection belongs to; null for those below blocks
 * @property {(workspace: any, above: any, below: any) => boolean} fits whether a person could join them
 * @property {(connection: any, dom: Element) => void} giveShadow puts a default block into an empty slot
 * @property {(Connection: any, dragged: any, end: any) => any} holderOf where a block goes that a dragged one pushes out of its
 *   place, as a connection; null if nowhere, and in the older generation, which does not tell ahead
 * @property {(workspace: any) => Carried | null} carried the block that the pointer carries, if it does
 * @property {(workspace: any) => boolean} panning whether the pointer moves the canvas
 * @property {(model: any) => string} variableName
 * @property {(SB: any, workspace: any, variable: {name: string, type: string, isLocal: boolean}) => any} createVariable as the
 *   editor's dialog does; its name is free
 * @property {(SB: any, proccode: string, workspace: any, definition: any) => any[]} callersOf a procedure outside of its definition
 * @property {'block' | 'shadow'} prototypeTag what the wording of a definition is in XML
 * @property {(SB: any, tag: string) => Element} newElement of XML for blocks
 * @property {(SB: any, text: string) => Element} parseXml of blocks
 * @property {(SB: any, workspace: any, state: import('../../types/notation').State) => any} appendBlocks makes a block with all below and in
 *   it, as a step to undo
 * @property {(SB: any) => string} freshId for a block or a parameter
 */

/** @type {Record<'current' | 'reference', Seams>} */
const SEAMS = {current, reference};

/** A page has one editor for its life. */
let here = SEAMS.current;

/** @param {'current' | 'reference'} generation of the editor that this page has, as its host says */
const enter = generation => {
    here = SEAMS[generation];
};

/** @returns {Seams} those of the editor that this page has */
const seams = () => here;

module.exports = {SEAMS, enter, seams};
