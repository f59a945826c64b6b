// @ts-check
/** What watch-pointer.js recorded since the last call. */
module.exports = () => /** @type {any} */ (globalThis).seenPointer.splice(0);
