// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {loadExtensions} = require('../lib/needed-extensions.js');

/** How long a frame takes on the slowest of machines, in milliseconds of its clock. */
const SLOW_FRAME = 60000;

/**
 * An editor that knows the pen's blocks after so many frames, each of which takes very long.
 * @param {import('node:test').TestContext} t
 * @param {number} after
 * @returns {any}
 */
const editor = (t, after) => {
    let now = 0;
    let frames = 0;
    /** @type {Record<string, object>} */
    const blocks = {};
    t.mock.method(Date, 'now', () => now);
    const globals = /** @type {any} */ (globalThis);
    globals.requestAnimationFrame = (/** @type {() => void} */ drawn) => {
        now += SLOW_FRAME;
        frames += 1;
        if (frames === after) blocks.pen_clear = {};
        drawn();
    };
    t.after(() => delete globals.requestAnimationFrame);
    return {
        SB: {Blocks: blocks},
        vm: {extensionManager: {isExtensionLoaded: () => false, loadExtensionURL: async () => {}}},
        fail: (/** @type {string} */ code) => {
            throw new Error(code);
        }
    };
};

test('a slow machine loads an extension as any other', async t => {
    assert.deepEqual(await loadExtensions(editor(t, 3), ['music', 'pen'], new Set(['pen_clear'])), ['pen']);
});

test('an extension whose blocks never become known is refused', async t => {
    await assert.rejects(loadExtensions(editor(t, Infinity), ['pen'], new Set(['pen_clear'])), /extension_not_loaded/);
});
