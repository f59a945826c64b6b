// @ts-check
// Files as text, on their way between the program and the page.

/** `String.fromCharCode` takes only so many arguments at once. */
const CHUNK = 0x8000;

/** @param {string} text base64 @returns {ArrayBuffer} */
const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;

/** @param {Uint8Array} bytes @returns {string} base64 */
const base64Of = bytes => {
    let binary = '';
    for (let i = 0; i < bytes.length; i += CHUNK) binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
    return btoa(binary);
};

module.exports = {base64Of, bytesOf};
