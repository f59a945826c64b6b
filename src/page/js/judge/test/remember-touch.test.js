// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {rememberTouch} = require('../lib/remember-touch.js');

/** Counts the questions that reach it. */
class Renderer {
    asked = 0;
    isTouchingColor() {
        this.asked += 1;
        return true;
    }
    isTouchingDrawables() {
        this.asked += 1;
        return false;
    }
    updateDrawablePosition() {}
    penLine() {}
    getBounds() {}
}

/** @returns {{renderer: any, forget: () => void}} */
const made = () => {
    const renderer = new Renderer();
    return {renderer, forget: rememberTouch(renderer)};
};

test('the same question is answered once while nothing moves', () => {
    const {renderer} = made();
    const red = new Uint8ClampedArray([255, 0, 0]);
    assert.equal(renderer.isTouchingColor(1, red), true);
    renderer.getBounds(1);
    assert.equal(renderer.isTouchingColor(1, red), true);
    assert.equal(renderer.asked, 1);
    assert.equal(renderer.isTouchingDrawables(1, [2, 3]), false);
    assert.equal(renderer.isTouchingDrawables(1, [2, 3]), false);
    assert.equal(renderer.asked, 2);
});

test('what is computed is told, and what is remembered is not', () => {
    /** @type {any} */
    const renderer = new Renderer();
    let computed = 0;
    const forget = rememberTouch(renderer, () => (computed += 1));
    renderer.isTouchingDrawables(1, [2, 3]);
    renderer.isTouchingDrawables(1, [2, 3]);
    assert.equal(computed, 1);
    forget();
    renderer.isTouchingDrawables(1, [2, 3]);
    assert.equal(computed, 2);
});

test('other ids, colours and masks are other questions', () => {
    const {renderer} = made();
    renderer.isTouchingColor(1, [0, 0, 1]);
    renderer.isTouchingColor(2, [0, 0, 1]);
    renderer.isTouchingColor(1, [0, 0, 2]);
    renderer.isTouchingColor(1, [0, 0, 1], [3, 3, 3]);
    renderer.isTouchingDrawables(1, [2]);
    assert.equal(renderer.asked, 5);
});

for (const change of ['updateDrawablePosition', 'penLine']) {
    test(`${change} makes it ask again`, () => {
        const {renderer} = made();
        renderer.isTouchingColor(1, [0, 0, 1]);
        renderer[change](1);
        renderer.isTouchingColor(1, [0, 0, 1]);
        assert.equal(renderer.asked, 2);
    });
}

test('being told to forget makes it ask again', () => {
    const {renderer, forget} = made();
    renderer.isTouchingColor(1, [0, 0, 1]);
    forget();
    renderer.isTouchingColor(1, [0, 0, 1]);
    assert.equal(renderer.asked, 2);
});
