// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {hasUndrawnSkins} = require('../lib/undrawn-skins.js');

/** @param {object} [image] @param {object} [more] @returns {any} an SVG skin whose picture is being read */
const skin = (image = {}, more = {}) => ({
    _svgImageLoaded: false,
    _svgImage: {src: 'data:image/svg+xml;utf8,a', complete: false, naturalWidth: 0, ...image},
    size: [10, 20],
    ...more
});

/** @param {any[]} skins */
const isWaitedFor = (...skins) => hasUndrawnSkins({_allSkins: skins});

test('a costume is waited for until it has its pixels, however long its picture takes', () => {
    assert.equal(isWaitedFor(undefined, skin()), true);
    assert.equal(isWaitedFor(skin({complete: true, naturalWidth: 10})), true, 'it is told of in a moment');
    assert.equal(isWaitedFor(skin({complete: true, naturalWidth: 10}, {_svgImageLoaded: true})), false);
});

test('what never has pixels is not waited for', () => {
    assert.equal(isWaitedFor(skin({complete: true})), false, 'a broken picture');
    for (const size of [[0, 20], [10, 0]]) assert.equal(isWaitedFor(skin({}, {size})), false, `of size ${size}`);
    assert.equal(isWaitedFor(skin({src: ''})), false, 'not begun');
    assert.equal(isWaitedFor({size: [10, 20]}), false, 'a bitmap');
});
