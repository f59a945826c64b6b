// @ts-check
// What the host page of either editor does for a driver and not for a person.
import {keepClipboardPrivate} from './private-clipboard.js';
import {keepTheTab} from './keep-the-tab.js';
import {restAudio} from './rest-audio.js';

/** The driver asks for a page that nothing can freeze; a person's tab behaves as tabs do. */
export const behaveIfDriven = () => {
    if (!new URLSearchParams(location.search).has('driven')) return;
    keepTheTab(window);
    keepClipboardPrivate(window);
    restAudio(window);
};
