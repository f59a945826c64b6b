// @ts-check
// Faults of scripts are gathered line by line, so that an author is told of all of them at once.

/** Ends the reading of one line; the next one is read all the same. */
class LineFault extends Error {
    /**
     * @param {string} code stable snake_case name of the situation
     * @param {string} message what is wrong
     * @param {string} [hint] what to do about it
     */
    constructor(code, message, hint) {
        super(message);
        this.code = code;
        this.hint = hint;
    }
}

/** @typedef {import('../../types/notation').Fault} Fault */

/**
 * @returns {import('../../types/notation').FaultBook} where faults and warnings are written down
 */
const faultBook = () => {
    /** @type {Fault[]} */
    const faults = [];
    /** @type {Fault[]} */
    const warnings = [];
    return {
        faults,
        warnings,
        fail: (code, message, hint) => {
            throw new LineFault(code, message, hint);
        },
        note: (line, code, message, hint) => void faults.push({line, code, message, hint: hint ?? null}),
        warn: (line, code, message, hint) => void warnings.push({line, code, message, hint: hint ?? null}),
        attempt: (line, work) => {
            try {
                return work();
            } catch (error) {
                if (!(error instanceof LineFault)) throw error;
                faults.push({line, code: error.code, message: error.message, hint: error.hint ?? null});
                return null;
            }
        }
    };
};

/**
 * @param {Fault[]} found in any order
 * @returns {Fault[]} each once, by line
 */
const inOrder = found => {
    const seen = new Set();
    const once = found.filter(fault => {
        const key = JSON.stringify(fault);
        return !seen.has(key) && seen.add(key);
    });
    return once.sort((a, b) => a.line - b.line);
};

module.exports = {faultBook, inOrder};
