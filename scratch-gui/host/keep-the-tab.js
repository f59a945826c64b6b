// @ts-check
// Disables what would freeze or leave the tab: popups and leave-page questions. The driver answers JavaScript dialogs
// over CDP.

/**
 * @param {Window} window the page to guard
 */
export const keepTheTab = window => {
    window.open = () => null;
    window.addEventListener(
        'beforeunload',
        event => {
            event.stopImmediatePropagation();
        },
        true
    );
};
