// @ts-check
// Makes the stage small, as the reference server's toggle_stage does: the button exists in both sizes, so it
// never makes the stage large again.

const SELECTOR = 'button[title*="Switch to small stage"]';

/** @type {import('../../types/page').PageFn<{}, {selector: string, title: string | null, label: string | null, pressed: boolean} | null>} */
module.exports = () => {
    /** @type {(button: Element) => string} */
    const words = button => `${button.getAttribute('title') || ''} ${button.getAttribute('aria-label') || ''}`;
    const known = document.querySelector(SELECTOR);
    const button = known || [...document.querySelectorAll('button')].find(one => /stage/i.test(words(one)));
    if (!(button instanceof HTMLElement)) return null;
    button.click();
    return {
        selector: known ? SELECTOR : 'found by text search',
        title: button.getAttribute('title'),
        label: button.getAttribute('aria-label'),
        pressed: button.getAttribute('aria-pressed') === 'true'
    };
};
