// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');

const {pictureOf} = require('../lib/stage-renderer.js');

test('a picture is drawn by the renderer itself, in place of what a VM puts on it', () => {
    /** @type {string[]} */
    const drawn = [];
    class Renderer {
        canvas = {toDataURL: (/** @type {string} */ type) => `data:${type};base64,AAAA`};

        draw() {
            drawn.push('really');
        }
    }
    /** @type {any} */
    const renderer = new Renderer();
    renderer.draw = () => drawn.push('only asked for shapes');
    assert.equal(pictureOf(renderer), 'AAAA');
    assert.deepEqual(drawn, ['really']);
    renderer.draw();
    assert.deepEqual(drawn, ['really', 'only asked for shapes'], 'what the VM had put there is back');
});
