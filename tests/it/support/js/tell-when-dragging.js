// @ts-check
/** Tells the page's server once when the pointer moves with a button down; the call that moves it keeps others waiting. */
module.exports = () => {
    const tell = (/** @type {PointerEvent} */ event) => {
        if (event.buttons === 0) return;
        window.removeEventListener('pointermove', tell, true);
        void fetch('/dragging', {method: 'POST'});
    };
    window.addEventListener('pointermove', tell, true);
    return null;
};
