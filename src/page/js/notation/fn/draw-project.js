// @ts-check
// Pictures of the project that is loaded: the stage, and the scripts of each sprite as SVG documents that need
// nothing else: no style sheets, no fonts of their own, no files. What is drawn is what the editor shows.

const {requireEditor} = require('../../shared/lib/edit');
const {flush} = require('../../shared/lib/frames');

/**
 * @typedef {{target: string, svg: string, width: number, height: number}} ScriptPicture
 */

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

/** Room around the blocks, in workspace units: hats and outlines reach beyond the box that Blockly tells. */
const MARGIN = 24;
/** Pixels of a workspace unit, as the editor shows blocks at first. */
const SCALE = 0.675;

/** What an element looks like, beside its geometry, with the value that needs no mention. */
const SHAPE = /** @type {Record<string, string>} */ ({
    fill: 'rgb(0, 0, 0)',
    'fill-opacity': '1',
    stroke: 'none',
    'stroke-width': '1px',
    'stroke-opacity': '1',
    opacity: '1'
});
const TEXT = /** @type {Record<string, string>} */ ({
    'font-family': '',
    'font-size': '',
    'font-weight': '400',
    'font-style': 'normal',
    'text-anchor': 'start',
    'dominant-baseline': 'auto'
});

/** Attributes that say how an element is used, not how it looks. */
const USE = /^(id|class|style|tabindex|role|cursor|aria-.*|data-.*)$/;

/** @type {Map<string, Promise<string>>} pictures on blocks by address: every block of a kind has the same */
const inlined = new Map();

/**
 * @param {string} address of a picture
 * @returns {Promise<string>} the same as a data URL
 */
const asDataUrl = address => {
    const known = inlined.get(address);
    if (known) return known;
    const read = (async () => {
        const blob = await (await fetch(address)).blob();
        return new Promise((resolve, reject) => {
            const reader = new FileReader();
            reader.onload = () => resolve(String(reader.result));
            reader.onerror = () => reject(reader.error);
            reader.readAsDataURL(blob);
        });
    })();
    inlined.set(address, /** @type {Promise<string>} */ (read));
    return /** @type {Promise<string>} */ (read);
};

/**
 * Copies an element with what can be seen of it.
 * @param {Element} element
 * @returns {Promise<Element | null>} null if nothing of it can be seen
 */
const copy = async element => {
    const look = getComputedStyle(element);
    if (look.display === 'none' || look.visibility === 'hidden') return null;
    const made = /** @type {Element} */ (element.cloneNode(false));
    for (const {name} of [...made.attributes]) if (USE.test(name)) made.removeAttribute(name);
    const isText = /^(text|tspan)$/.test(element.localName);
    const parts = element.localName === 'g' ? {opacity: SHAPE.opacity} : isText ? {...SHAPE, ...TEXT} : SHAPE;
    for (const [name, usual] of Object.entries(parts)) {
        const value = look.getPropertyValue(name);
        if (value === usual) made.removeAttribute(name);
        else made.setAttribute(name, value);
    }
    if (element.localName === 'image') {
        const address = element.getAttribute('href') || element.getAttributeNS(XLINK, 'href') || '';
        made.removeAttributeNS(XLINK, 'href');
        made.setAttribute('href', await asDataUrl(address));
    }
    for (const child of element.childNodes) {
        const copied = child instanceof Element ? await copy(child) : child.cloneNode();
        if (copied) made.appendChild(copied);
    }
    return made;
};

/**
 * @param {any} workspace the main workspace, all drawn
 * @returns {Promise<{svg: string, width: number, height: number} | null>} its blocks, in pixels; null without blocks
 */
const blockPicture = async workspace => {
    if (!workspace.getTopBlocks(false).length) return null;
    const {left, top, right, bottom} = workspace.getBlocksBoundingBox();
    const [x, y] = [left - MARGIN, top - MARGIN];
    const [width, height] = [right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
    const picture = document.createElementNS(SVG, 'svg');
    const size = {width: Math.ceil(width * SCALE), height: Math.ceil(height * SCALE)};
    picture.setAttribute('viewBox', [x, y, width, height].map(number => number.toFixed(1)).join(' '));
    picture.setAttribute('width', String(size.width));
    picture.setAttribute('height', String(size.height));
    const blocks = await copy(workspace.getCanvas());
    if (!blocks) return null;
    // The canvas is moved and scaled to what the editor shows of it.
    blocks.removeAttribute('transform');
    picture.appendChild(blocks);
    return {svg: new XMLSerializer().serializeToString(picture), ...size};
};

/**
 * @param {any} renderer the VM's renderer
 * @returns {Promise<string>} the stage as a PNG data URL
 */
const stagePicture = renderer => new Promise(resolve => {
    renderer.requestSnapshot(resolve);
    renderer.draw();
});

/**
 * With `run_ms` the green flag is clicked first, and the stage is drawn when so much time has passed.
 * @type {import('../../types/page').PageFn<{run_ms: number}, {stage: string, scripts: ScriptPicture[]}>}
 */
module.exports = async (ctx, {run_ms}) => {
    requireEditor(ctx);
    const {vm} = ctx;
    const scripts = [];
    for (const target of vm.runtime.targets.filter((/** @type {any} */ found) => found.isOriginal)) {
        vm.setEditingTarget(target.id);
        await flush();
        const picture = await blockPicture(ctx.workspace);
        if (picture) scripts.push({target: target.getName(), ...picture});
    }
    if (run_ms > 0) {
        vm.greenFlag();
        await new Promise(resolve => setTimeout(resolve, run_ms));
    }
    const stage = await stagePicture(vm.runtime.renderer);
    vm.stopAll();
    return {stage, scripts};
};
