// @ts-check
// What a test asks of the live view's page.

/** @param {string} selector */
const textOf = selector => document.querySelector(selector)?.textContent ?? '';

/** @type {Record<string, () => any>} */
const ANSWERS = {
    state: () => {
        const image = /** @type {HTMLImageElement | null} */ (document.querySelector('.frame img'));
        const active = /** @type {HTMLElement | null} */ (document.activeElement);
        return {
            title: document.title,
            heading: textOf('h1'),
            badge: textOf('.state, .outcome'),
            focused: active ? active.getAttribute('aria-label') ?? active.textContent ?? '' : '',
            picture: image && !image.hidden && image.naturalWidth > 0 ? image.src : '',
            note: document.querySelector('.frame .note:not([hidden])')?.textContent ?? '',
            boxes: document.querySelectorAll('.overlay .box').length,
            pointer: document.querySelector('.overlay .pointer')?.getAttribute('transform') ?? '',
            log: [...document.querySelectorAll('.log li')].map(row => row.textContent ?? ''),
            actions: [...document.querySelectorAll('.actions li')].map(row => row.textContent ?? ''),
            program: [...document.querySelectorAll('.panel .program')].map(one => one.textContent ?? '').join('\n'),
            fresh: [...document.querySelectorAll('.line.fresh')].map(line => (line.textContent ?? '').trim()),
            cards: [...document.querySelectorAll('.card:not([hidden])')].map(card => card.textContent ?? ''),
            told: [...document.querySelectorAll('[role=status]')].map(one => one.textContent ?? '').join('\n'),
            stills: document.querySelectorAll('.strip:not([hidden]) li').length,
            stages: document.querySelectorAll('canvas.stage:not([data-coming])').length,
            rows: [...document.querySelectorAll('tbody tr')].map(row => row.textContent ?? ''),
            instruction: textOf('section:not([hidden]) > .instruction'),
            enlarged: document.querySelector('dialog[open] .frame') !== null,
            turn: textOf('.turns:not([hidden]) .turn'),
            turnPlace: textOf('.turns:not([hidden]) .place'),
            place: textOf('.place'),
            current: textOf('.steps [aria-current]'),
            cases: document.querySelectorAll('.cases li').length,
            live: textOf('.live-state'),
            standing: textOf('.standing'),
            binds: textOf('.binds'),
            words: textOf('.heat-words'),
            panel: textOf('.cell-panel:not([hidden])'),
            dialog: textOf('dialog[open]'),
            banner: document.querySelector('.banner:not([hidden])')?.textContent ?? ''
        };
    },
    /** The colour in which the current cell of an experiment is drawn, and that of one that failed in the legend. */
    cell: () => {
        const colourAt = (/** @type {HTMLCanvasElement} */ canvas, /** @type {number} */ x, /** @type {number} */ y) => {
            const scale = canvas.width / canvas.clientWidth;
            return [...(canvas.getContext('2d')?.getImageData(x * scale, y * scale, 1, 1).data ?? [])].join();
        };
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.heat canvas'));
        const [cell, map] = [document.querySelector('.heat-cell'), canvas].map(one => /** @type {Element} */ (one).getBoundingClientRect());
        const legend = [...document.querySelectorAll('.legend li')].find(one => one.textContent === 'failed');
        return {
            colour: colourAt(canvas, cell.left - map.left + 2, cell.top - map.top + 2),
            failed: colourAt(/** @type {HTMLCanvasElement} */ (legend?.querySelector('canvas')), 2, 2)
        };
    },
    /** What the focus outline looks like, so that nobody is lost on the page. */
    outline: () => {
        const {outlineStyle, outlineWidth} = getComputedStyle(/** @type {Element} */ (document.activeElement));
        return `${outlineStyle} ${outlineWidth}`;
    },
    /** Whether the page is wider than its window. */
    overflow: () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    /** Rules of accessibility that the page breaks; axe must have been put into the page before. */
    accessibility: async () => {
        const {axe} = /** @type {any} */ (globalThis);
        const {violations} = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']});
        return violations.map((/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => `${node.html} ${node.failureSummary}`).join(' | ')}`);
    }
};

module.exports = (/** @type {string} */ about) => ANSWERS[about]();
