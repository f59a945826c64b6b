// @ts-check
// All contexts of a browser share one clipboard: text copied in one session was seen to be pasted in
// another. In pages that the driver opens, copy, cut and paste therefore use a buffer of the page's own.
// A person's browser keeps its clipboard.

/**
 * @param {Window & typeof globalThis} window the page to separate
 */
export const keepClipboardPrivate = window => {
    const {document, navigator} = window;
    let buffer = '';

    const selected = () => {
        const field = /** @type {any} */ (document.activeElement);
        if (field && typeof field.selectionStart === 'number' && typeof field.value === 'string') {
            return field.value.slice(field.selectionStart, field.selectionEnd);
        }
        return String(document.getSelection() || '');
    };
    /** @param {Event} event a copy, cut or paste that the browser is about to carry out */
    const take = event => {
        event.preventDefault();
        const text = selected();
        if (text) buffer = text;
        if (text && event.type === 'cut') document.execCommand('delete');
    };
    document.addEventListener('copy', take, true);
    document.addEventListener('cut', take, true);
    document.addEventListener(
        'paste',
        event => {
            event.preventDefault();
            if (buffer) document.execCommand('insertText', false, buffer);
        },
        true
    );
    Object.defineProperty(navigator, 'clipboard', {
        value: Object.freeze({
            readText: async () => buffer,
            writeText: async (/** @type {string} */ text) => {
                buffer = String(text);
            },
            read: async () => [],
            write: async () => {}
        })
    });
};
