// @ts-check
// A small random generator whose stream depends on its seed alone.

/**
 * The generator known as mulberry32, by Tommy Ettinger; 32 bits of state are plenty for a game.
 * @param {number} seed any whole number
 * @returns {() => number} numbers from 0 up to but not including 1
 */
const seededRandom = seed => {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let z = state;
        z = Math.imul(z ^ (z >>> 15), z | 1);
        z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
        return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
    };
};

module.exports = {seededRandom};
