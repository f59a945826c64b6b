// @ts-check
/** Records the pointer events that reach the page. */
module.exports = () => {
    const seen = /** @type {any[]} */ ([]);
    /** @type {any} */ (globalThis).seenPointer = seen;
    for (const kind of ['pointerdown', 'pointermove', 'pointerup']) {
        window.addEventListener(
            kind,
            event => {
                const {clientX, clientY, buttons, isTrusted} = /** @type {PointerEvent} */ (event);
                seen.push({kind, x: clientX, y: clientY, buttons, trusted: isTrusted});
            },
            true
        );
    }
    return null;
};
