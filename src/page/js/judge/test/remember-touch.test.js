// @ts-check
const assert = require('node:assert/strict');
const {EventEmitter} = require('node:events');
const {test} = require('node:test');
const {rememberTouch} = require('../lib/remember-touch.js');

/** Counts the questions that reach it. */
class Renderer {
    asked = 0;
    /** Whether the boxes around sprites meet. */
    isNear = true;
    /** @type {any[]} */
    _allSkins = [];
    _nextSkinId = 0;
    _touchingBounds() {
        return this.isNear ? {} : null;
    }
    _candidatesBounds() {
        return {};
    }
    /** @param {number} _id @param {number[]} [colour] white is the colour behind everything */
    isTouchingColor(_id, colour) {
        this.asked += 1;
        const bounds = this._touchingBounds();
        if (String(colour) === '255,255,255') this._touchingBounds();
        else if (bounds) this._candidatesBounds();
        return true;
    }
    isTouchingDrawables() {
        this.asked += 1;
        if (this._touchingBounds()) this._candidatesBounds();
        return false;
    }
    updateDrawablePosition() {}
    penLine() {}
    getBounds() {}
    async createSVGSkin() {
        this._allSkins[this._nextSkinId++] = Object.assign(new EventEmitter(), {_silhouette: {update() {}}});
    }
    /** @param {number} id */
    updateBitmapSkin(id) {
        this._allSkins[id] = Object.assign(new EventEmitter(), {_silhouette: {update() {}}});
    }
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

test('what is compared is told, and what is remembered or only measured is not', () => {
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

test('where only boxes were looked at, no pixels are counted', () => {
    /** @type {any} */
    const renderer = new Renderer();
    let compared = 0;
    const forget = rememberTouch(renderer, () => (compared += 1));
    renderer.isNear = false;
    renderer.isTouchingDrawables(1, [2]);
    renderer.isTouchingColor(1, [0, 0, 1]);
    renderer.isTouchingColor(1, [255, 255, 255]);
    assert.deepEqual([renderer.asked, compared], [3, 0]);
    renderer.isNear = true;
    forget();
    renderer.isTouchingDrawables(1, [2]);
    renderer.isTouchingColor(1, [0, 0, 1]);
    renderer.isTouchingColor(1, [255, 255, 255]);
    assert.deepEqual([renderer.asked, compared], [6, 3]);
});

test('a picture whose shape becomes finer, or that arrives late, makes it ask again', async () => {
    const {renderer} = made();
    await renderer.createSVGSkin();
    const asks = () => {
        const before = renderer.asked;
        renderer.isTouchingDrawables(1, [2]);
        return renderer.asked - before;
    };
    assert.deepEqual([asks(), asks()], [1, 0]);
    renderer._allSkins[0]._silhouette.update();
    assert.deepEqual([asks(), asks()], [1, 0]);
    renderer._allSkins[0].emit('WasAltered');
    assert.deepEqual([asks(), asks()], [1, 0]);
    renderer.updateBitmapSkin(0);
    assert.deepEqual([asks(), asks()], [1, 0]);
    renderer._allSkins[0]._silhouette.update();
    assert.deepEqual([asks(), asks()], [1, 0]);
});

test('a renderer that works otherwise is found out', () => {
    assert.throws(() => rememberTouch({isTouchingColor() {}, isTouchingDrawables() {}}), /the renderer has no _candidatesBounds/);
});
