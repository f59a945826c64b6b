// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';

import {drawRendererOnChange} from '../draw-on-change.js';

/** A renderer that counts its pictures, with a method of each kind. */
class Renderer {
    pictures = 0;
    /** @type {any[]} */
    _allSkins = [];
    draw () {
        this.pictures++;
    }
    updateDrawablePosition () {}
    getBounds () {}
    requestSnapshot () {}
}

test('a picture is drawn after a change, and when someone waits for one', () => {
    const renderer = new Renderer();
    drawRendererOnChange(renderer);
    /** @type {[keyof Renderer, number][]} */
    const steps = [['getBounds', 1], ['getBounds', 1], ['updateDrawablePosition', 2], ['getBounds', 2], ['requestSnapshot', 3]];
    for (const [method, pictures] of steps) {
        /** @type {any} */ (renderer)[method]();
        renderer.draw();
        assert.equal(renderer.pictures, pictures, method);
    }
});
