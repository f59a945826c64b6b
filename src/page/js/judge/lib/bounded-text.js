// @ts-check
// Texts of a program's may be of any length, and what is put together of them longer than the engine lets a string be. Where
// they are recorded, long ones are known by their beginning, their length and a digest, so that two that differ still do.

/** Texts longer than this are shortened, and so much of each is kept, in UTF-16 units. */
const [LONG, HEAD] = [2000, 500];
/** The offset basis of FNV-1a with 32 bits, and another one, for a second digest of the same text. */
const [BASIS, OTHER_BASIS] = [0x811c9dc5, 0x9747b28c];

/**
 * FNV-1a over UTF-16 units, 32 bits: texts are compared, not protected.
 * @param {string} text
 * @param {number} [hash] what came before
 * @returns {number} a whole number, which may be negative
 */
const mix = (text, hash = BASIS) => {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return hash;
};

/** @param {number} hash of `mix` @returns {string} eight hexadecimal digits */
const digits = hash => (hash >>> 0).toString(16).padStart(8, '0');

/**
 * @param {string} text
 * @param {number} most UTF-16 units
 * @returns {string} so much of its beginning; a letter of two units is not cut in half
 */
const beginning = (text, most) => {
    if (text.length <= most) return text;
    const last = text.charCodeAt(most - 1);
    return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
};

/**
 * @param {string} text of any length
 * @returns {string} itself, or what a long one is known by
 */
const bounded = text => {
    if (text.length <= LONG) return text;
    return `${beginning(text, HEAD)}… (${text.length} characters, ${digits(mix(text))}${digits(mix(text, OTHER_BASIS))})`;
};

module.exports = {LONG, OTHER_BASIS, beginning, bounded, digits, mix};
