// @ts-check
// Pictures of blocks as the editor draws them, as SVG documents that need nothing else: no style sheets, no fonts of
// their own, no files. Which blocks are worth a picture is not known here.

/**
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box
 * @typedef {{svg: string, width: number, height: number}} Picture its size in pixels
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
 * @param {Box} box in workspace units, what is drawn
 * @param {Element[]} parts one or more elements of the editor, whose own transforms are those within the workspace
 * @param {Element[]} [marks] what is put over them, in workspace units
 * @returns {Promise<Picture>}
 */
const pictureOfBlocks = async (box, parts, marks = []) => {
    const [x, y] = [box.left - MARGIN, box.top - MARGIN];
    const [width, height] = [box.right - box.left + 2 * MARGIN, box.bottom - box.top + 2 * MARGIN];
    const picture = parts[0].ownerDocument.createElementNS(SVG, 'svg');
    const size = {width: Math.ceil(width * SCALE), height: Math.ceil(height * SCALE)};
    picture.setAttribute('viewBox', [x, y, width, height].map(number => number.toFixed(1)).join(' '));
    picture.setAttribute('width', String(size.width));
    picture.setAttribute('height', String(size.height));
    for (const part of parts) {
        const copied = await copy(part);
        if (copied) picture.appendChild(copied);
    }
    picture.append(...marks);
    return {svg: new XMLSerializer().serializeToString(picture), ...size};
};

module.exports = {pictureOfBlocks};
