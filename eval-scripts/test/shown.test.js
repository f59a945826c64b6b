// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Motion} = require('../lib/motion.js');
const {expectSeen, isSeen, unseen} = require('../lib/seen.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

/** @typedef {{left: number, right: number, bottom: number, top: number}} Box */

/** A picture as the renderer draws it: of one opacity wherever `has` says so. */
class Drawable {
    _visible = true;
    _scale = [100, 100];
    isReady = false;
    sampled = 0;

    /** @param {Box} box @param {number} opacity of 255 @param {(x: number, y: number) => boolean} [has] */
    constructor(box, opacity, has = () => true) {
        this.box = box;
        this.opacity = opacity;
        this.has = has;
        this.skin = {_silhouette: {_colorData: new Uint8ClampedArray([0, 0, 0, 0, 0, 0, 0, opacity])}};
    }

    getAABB() {
        return this.box;
    }

    updateMatrix() {
        this.isReady = true;
    }

    /** @param {[number, number]} point @param {Drawable} drawable @param {Uint8ClampedArray} colour filled in */
    static sampleColor4b([x, y], drawable, colour) {
        assert.ok(drawable.isReady, 'its matrix is up to date');
        drawable.sampled += 1;
        const {left, right, bottom, top} = drawable.box;
        const isIn = x >= left && x <= right && y >= bottom && y <= top && drawable.has(x, y);
        colour[3] = isIn ? drawable.opacity : 0;
        return colour;
    }
}

/** @param {number} x @param {number} y @param {number} half of its sides @returns {Box} */
const square = (x, y, half) => ({left: x - half, right: x + half, bottom: y - half, top: y + half});

/**
 * A program whose sprites are drawn from back to front; the number of a drawable is its place in that order.
 * @param {[string | null, Drawable][]} drawn names of sprites; null for a bubble
 */
const stage = drawn => {
    const vm = fakeVm();
    const {runtime} = vm;
    Object.assign(runtime.renderer, {_allDrawables: drawn.map(([, drawable]) => drawable), _drawList: drawn.map((_, i) => i)});
    /** @type {Map<string, any>} */
    const sprites = new Map();
    for (const [drawableID, [name, drawable]] of drawn.entries()) {
        if (name === null) continue;
        const sprite = sprites.get(name) ?? {name};
        sprites.set(name, sprite);
        runtime.targets.push(fakeTarget({sprite, drawableID, runtime, getBounds: () => drawable.box}));
    }
    return {vm, targets: /** @type {any[]} */ (runtime.targets)};
};

test('a costume without a pixel that shows is empty, however large its box', () => {
    const shown = (/** @type {number} */ opacity, /** @type {number} */ ghost) => {
        const {targets} = stage([['Owl', new Drawable(square(0, 0, 50), opacity)]]);
        targets[0].effects = {ghost};
        return unseen(targets[0]);
    };
    assert.deepEqual([shown(0, 0), shown(5, 0), shown(6, 0), shown(255, 97)], ['has an empty costume', 'has an empty costume', null, null]);
    assert.equal(shown(100, 96), 'has an empty costume', 'it is faint, and the ghost effect takes the rest');
});

test('a costume that was never drawn is asked for', () => {
    const owl = new Drawable(square(0, 0, 50), 255);
    const {_silhouette} = owl.skin;
    const pixels = _silhouette._colorData;
    Object.assign(_silhouette, {_colorData: null});
    Object.assign(owl.skin, {updateSilhouette: () => Object.assign(_silhouette, {_colorData: pixels})});
    assert.equal(unseen(stage([['Owl', owl]]).targets[0]), null);
});

test('a sprite is covered when nothing of it shows between others in front of it', () => {
    const owl = () => new Drawable(square(0, 0, 20), 255);
    const why = (/** @type {Drawable[]} */ ...front) => {
        const drawn = front.map((drawable, i) => /** @type {[string, Drawable]} */ ([`Tree ${i}`, drawable]));
        return unseen(stage([['Owl', owl()], ...drawn]).targets[0]);
    };
    assert.equal(why(new Drawable(square(0, 0, 20), 255)), 'is covered');
    assert.equal(why(new Drawable(square(1, 0, 20), 255)), null, 'a column shows');
    assert.equal(why(new Drawable(square(0, 0, 20), 200)), null, 'it shows through');
    assert.equal(why(new Drawable(square(0, 0, 20), 255, (x, y) => x !== 7 || y !== 7)), null, 'there is a hole');
    const halves = [-20, 20].map(x => new Drawable(square(x, 0, 20), 255));
    assert.equal(why(...halves), 'is covered', 'by two');
    const hidden = new Drawable(square(0, 0, 20), 255);
    hidden._visible = false;
    assert.equal(why(hidden), null);
});

test('what is behind, bubbles and clones of the same sprite cover nothing', () => {
    const place = () => new Drawable(square(0, 0, 20), 255);
    const {targets} = stage([['Tree', place()], ['Owl', place()], ['Owl', place()], [null, place()]]);
    assert.deepEqual(targets.map(target => unseen(target)), ['is covered', null, null]);
});

test('what peeks out at any edge shows, however wide the grid is', () => {
    const [half, tall] = [100, 75];
    const box = (/** @type {number} */ x, /** @type {number} */ y) => ({left: x - half, right: x + half, bottom: y - tall, top: y + tall});
    for (const [x, y] of [[-2, 0], [2, 0], [0, -2], [0, 2], [-2, -2]]) {
        const {targets} = stage([['Owl', new Drawable(box(0, 0), 255)], ['Tree', new Drawable(box(x, y), 255)]]);
        assert.equal(unseen(targets[0]), null, `${x}, ${y}`);
    }
});

test('a pixelated vector costume without a picture at its own size is not sampled', () => {
    const [owl, tree] = [new Drawable(square(0, 0, 20), 255), new Drawable(square(0, 0, 20), 255)];
    Object.assign(tree, {_uniforms: {u_pixelate: 2}});
    Object.assign(tree.skin, {_scaledMIPs: []});
    const {targets} = stage([['Owl', owl], ['Tree', tree]]);
    assert.equal(unseen(targets[0]), null);
    assert.equal(owl.sampled + tree.sampled, 0);
    Object.assign(tree.skin, {_scaledMIPs: Object.assign([], {8: {}})});
    assert.equal(unseen(targets[0]), 'is covered');
});

test('who may be covered is seen, and others are not', () => {
    const place = () => new Drawable(square(0, 0, 20), 255);
    const [owl] = stage([['Owl', place()], ['Tree', place()]]).targets;
    assert.equal(isSeen(owl), false);
    assert.throws(() => expectSeen(owl, 'at night'), {message: 'the Owl is covered, at night'});
    assert.doesNotThrow(() => expectSeen(owl, 'at night', {mayBeCovered: true}));
});

test('a box that reaches the stage without a pixel there is off the stage', () => {
    const corner = (/** @type {boolean} */ isDrawn) =>
        new Drawable(square(-250, 0, 30), 255, x => isDrawn || x < -240);
    assert.equal(unseen(stage([['Owl', corner(false)]]).targets[0]), 'is off the stage');
    assert.equal(unseen(stage([['Owl', corner(true)]]).targets[0]), null);
});

test('a sprite that nothing is in front of is not looked at point by point, and a large one only here and there', () => {
    const alone = new Drawable(square(0, 0, 20), 255);
    assert.ok(isSeen(stage([['Owl', alone], ['Tree', new Drawable(square(100, 0, 20), 255)]]).targets[0]));
    assert.equal(alone.sampled, 0);
    const hills = new Drawable(square(0, 0, 170), 255);
    assert.equal(unseen(stage([['Hills', hills], ['Fog', new Drawable(square(0, 0, 180), 255)]]).targets[0]), 'is covered');
    assert.ok(hills.sampled < 5000, String(hills.sampled));
});

test('a track tells what is covered: it may be on its way, but not for most of it', () => {
    const [owl, tree] = [new Drawable(square(0, 0, 20), 255), new Drawable(square(0, 0, 20), 255)];
    const {vm, targets} = stage([['Owl', owl], ['Tree', tree]]);
    const track = new Motion(vm, new Ticks(vm)).watch(targets[0]);
    assert.throws(() => track.expectSeen('at night'), {message: 'the Owl is covered most of the time, at night'});
    tree._visible = false;
    vm.runtime._step();
    assert.deepEqual(track.samples.map(({unseen: why, covered}) => [why, covered]), [[null, true], [null, false]]);
    assert.doesNotThrow(() => track.expectSeen('at night'));
    assert.deepEqual(track.costumes, ['plain']);
});
