// @ts-check
// Watches what the pointer, the wheel and the keyboard meet while an action is carried out. Nothing of the page is touched.

const {clipper, rowAround, rowsOnPage} = require('./element-rows');
const {squeeze} = require('./block-text');
const {inWords, flattened} = require('./program-changes');
const {caller} = require('../../shared/lib/variables');
const {workspaceView} = require('../../shared/lib/workspace-view');
const {seams} = require('../../shared/lib/editor-seams');

/** @typedef {import('../../types/page').Ctx} Ctx */
/** @typedef {{type: string, text: string, contains?: string}} Met */

/** Letters of a field's content. */
const LETTERS = 200;

/** @returns {Met} */
const nothing = () => ({type: 'none', text: ''});

/**
 * @param {Ctx} ctx
 * @param {Element | null} element
 * @returns {Met} how the list of elements names it, or what is around it
 */
const named = (ctx, element) => {
    if (!element) return nothing();
    const page = element.ownerDocument;
    if (element === page.body || element === page.documentElement) return nothing();
    const row = rowAround(rowsOnPage(ctx, clipper(page), page))(element);
    if (row) return {type: row.type, text: row.text};
    if (element.closest('.blocklyFlyout')) return {type: 'other', text: 'palette'};
    if (element.closest('.injectionDiv')) return {type: 'canvas', text: 'canvas'};
    const words = squeeze(element.getAttribute('aria-label') || element.textContent).slice(0, LETTERS);
    return {type: 'other', text: words || element.localName};
};

/** @param {unknown} node @returns {boolean} whether text can be typed into it */
const isField = node => node instanceof HTMLTextAreaElement || (node instanceof HTMLElement && node.isContentEditable) ||
    (node instanceof HTMLInputElement && !/^(button|checkbox|radio|range|submit|file|color)$/.test(node.type));

/** @param {any} field @returns {string} the beginning of what it holds */
const content = field => {
    const letters = [...String(field.value ?? field.textContent ?? '')];
    return letters.length > LETTERS ? `${letters.slice(0, LETTERS).join('')}…` : letters.join('');
};

/** @param {Ctx} ctx @returns {any} the block that is being carried, or null */
const carried = ({workspace}) => (workspace && seams().carried(workspace)?.block) ?? null;

/** @param {Ctx} ctx @param {any} block of the workspace @returns {string} it in the words of the pseudocode */
const wordsOf = ({vm, workspace}, block) => {
    const found = flattened(workspaceView(workspace, caller({vm})).scripts).find(({id}) => id === block.id);
    return found ? inWords(found) : block.type;
};

/**
 * @param {Ctx} ctx
 * @param {Element} element under the wheel
 * @returns {{what: string, at: () => [number, number]}[]} what may scroll, the innermost first, with how far it is scrolled
 */
const scrollable = (ctx, element) => {
    const found = [];
    for (let one = /** @type {Element | null} */ (element); one; one = one.parentElement) {
        const node = one;
        const text = squeeze(node.getAttribute('aria-label') || node.className.toString().replace(/_[\w-]*$/, '') || node.localName);
        found.push({what: text, at: () => /** @type {[number, number]} */ ([node.scrollLeft, node.scrollTop])});
    }
    const {workspace} = ctx;
    if (workspace) {
        const palette = workspace.getFlyout().getWorkspace();
        found.push({what: 'palette', at: () => [-palette.scrollX, -palette.scrollY]});
        found.push({what: 'code area', at: () => [-workspace.scrollX, -workspace.scrollY]});
    }
    return /** @type {any} */ (found);
};

/** Notes of one action. */
class ActionWatch {
    /**
     * @param {Ctx} ctx
     * @param {Window} page that it watches
     */
    constructor(ctx, page) {
        this.ctx = ctx;
        this.page = page;
        /** @type {Met | null} */
        this.hit = null;
        /** @type {Met | null} */
        this.droppedOn = null;
        /** @type {{block: any, words: string} | null} */
        this.grabbed = null;
        /** @type {{node: any, met: Met} | null} */
        this.field = null;
        /** @type {{what: string, at: () => [number, number], was: [number, number]}[]} */
        this.scrolling = [];
        /** @type {[string, (event: any) => void][]} */
        this.listeners = [
            ['pointerdown', event => this.down(event)],
            ['pointerup', event => this.up(event)],
            ['keydown', event => this.typing(event)],
            ['beforeinput', event => this.typing(event)],
            ['wheel', event => this.wheel(event)]
        ];
        // Before the editor hears of them: it keeps some events to itself.
        for (const [type, note] of this.listeners) page.addEventListener(type, note, {capture: true, passive: true});
    }

    stop() {
        for (const [type, note] of this.listeners) this.page.removeEventListener(type, note, true);
    }

    /** @param {PointerEvent} event */
    down({target}) {
        if (!this.hit) this.hit = named(this.ctx, /** @type {Element} */ (target));
    }

    /** @param {PointerEvent} event */
    up({clientX, clientY}) {
        const block = carried(this.ctx);
        const root = block && block.getSvgRoot && block.getSvgRoot();
        if (block) this.grabbed = {block, words: block.type && this.ctx.workspace.getBlockById(block.id) ? wordsOf(this.ctx, block) : String(block.type || 'a comment')};
        const under = this.page.document.elementsFromPoint(clientX, clientY).find(element => !root || !root.contains(element));
        this.droppedOn = named(this.ctx, under || null);
    }

    /** @param {Event} event */
    typing({target}) {
        if (!this.field && isField(target)) this.field = {node: target, met: named(this.ctx, /** @type {Element} */ (target))};
    }

    /** @param {WheelEvent} event */
    wheel({target}) {
        if (!this.scrolling.length) this.scrolling = scrollable(this.ctx, /** @type {Element} */ (target)).map(one => ({...one, was: one.at()}));
    }

    /** @returns {Met} what has the focus now */
    focus() {
        const active = this.page.document.activeElement;
        return {...named(this.ctx, active), ...(isField(active) && {contains: content(active)})};
    }

    /** @returns {Met} the field that was typed into, as it is now */
    typed() {
        return this.field ? {...this.field.met, contains: content(this.field.node)} : nothing();
    }

    /** @returns {{what: string, right: number, down: number}} what has scrolled */
    scrolled() {
        for (const {what, at, was} of this.scrolling) {
            const [right, down] = at().map((value, axis) => Math.round(value - was[axis]));
            if (right || down) return {what, right, down};
        }
        return {what: 'none', right: 0, down: 0};
    }

    /** @returns {Record<string, unknown>} what was dragged, and where it is now */
    dragged() {
        const met = {hit: this.hit ?? nothing(), dropped_on: this.droppedOn ?? nothing()};
        if (!this.grabbed) return met;
        const {block, words} = this.grabbed;
        const held = this.ctx.workspace.getBlockById(block.id);
        if (!held) return {...met, grabbed: words, now: 'deleted'};
        const [parent, next] = [held.getParent(), held.getNextBlock()];
        const input = parent && parent.getInputWithBlock(held);
        return {
            ...met,
            grabbed: words,
            now: parent || next ? 'connected' : 'loose',
            ...(parent && {parent: wordsOf(this.ctx, parent), slot: input ? input.name : 'next'}),
            ...(next && {next: wordsOf(this.ctx, next)})
        };
    }
}

/** @typedef {{watch: ActionWatch, before: import('./program-changes').Program}} Watched */

/**
 * There is one pointer, and one action at a time.
 * @type {Watched | null}
 */
let current = null;

/**
 * @param {Watched | null} next what is watched from now on
 * @returns {Watched | null} what was watched until now; it is stopped
 */
const replace = next => {
    const before = current;
    if (before) before.watch.stop();
    current = next;
    return before;
};

module.exports = {ActionWatch, replace};
