// @ts-check
// Asset data in and out of base64, and the assets that a VM's project uses.

/** `String.fromCharCode` takes only so many arguments at once. */
const CHUNK = 0x8000;

/**
 * @param {string} text base64
 * @returns {Uint8Array} the bytes
 */
const fromBase64 = text => Uint8Array.from(atob(text), character => character.charCodeAt(0));

/**
 * @param {Uint8Array} bytes any bytes
 * @returns {string} base64
 */
const toBase64 = bytes => {
    let binary = '';
    for (let i = 0; i < bytes.length; i += CHUNK) binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
    return btoa(binary);
};

/**
 * The file name that a costume or sound has in an .sb3 file.
 * @param {{md5?: string, assetId?: string, dataFormat?: string}} item a costume or sound of the VM
 * @returns {string} `<md5>.<ext>`
 */
const fileName = item => item.md5 || `${item.assetId}.${item.dataFormat}`;

/**
 * Every costume and sound of the original targets.
 * @param {any} vm a virtual machine
 * @returns {{target: string, item: any}[]} in target order, costumes first
 */
const assetsOf = vm =>
    vm.runtime.targets
        .filter((/** @type {any} */ target) => target.isOriginal)
        .flatMap((/** @type {any} */ target) =>
            [...target.sprite.costumes_, ...target.sprite.sounds].map(item => ({target: target.getName(), item}))
        );

module.exports = {assetsOf, fileName, fromBase64, toBase64};
