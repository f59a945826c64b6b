// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {fitsItsPlace} = require('../lib/workspace-size.js');

/** @param {string} fonts @param {string} height of the drawing, in a place that is 567 px high */
const page = (fonts, height) => {
    /** @type {string[]} */
    const told = [];
    /** @type {Record<string, string>} */
    const size = {width: '471px', height};
    const drawing = {parentNode: {offsetWidth: 471, offsetHeight: 567}, getAttribute: (/** @type {string} */ name) => size[name]};
    const window = {
        document: {fonts: {status: fonts}},
        Event: class {
            constructor(/** @type {string} */ type) {
                this.type = type;
            }
        },
        dispatchEvent: (/** @type {any} */ event) => told.push(event.type)
    };
    const fits = fitsItsPlace(/** @type {any} */ (window), {getParentSvg: () => drawing});
    return {fits, told};
};

test('a workspace that is as large as its place is left alone', () => {
    assert.deepEqual(page('loaded', '567px'), {fits: true, told: []});
});

test('a workspace that kept an earlier size is told to take the new one', () => {
    assert.deepEqual(page('loaded', '572px'), {fits: false, told: ['resize']});
});

test('nothing is final before the fonts are there', () => {
    assert.deepEqual(page('loading', '567px'), {fits: false, told: []});
});
