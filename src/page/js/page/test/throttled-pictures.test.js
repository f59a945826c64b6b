// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {showHeldBack} = require('../lib/throttled-pictures');

/**
 * A component as the editor's throttle makes it.
 * @param {string} got what it was given last
 * @param {string} drawn what it drew last
 */
const throttle = (got, drawn) => ({
    props: {asset: got, size: 3},
    _lastRenderedValue: drawn,
    forceUpdate() {
        this._lastRenderedValue = this.props.asset;
    }
});

/**
 * An element with components around it.
 * @param {any[]} components the innermost first
 * @returns {any}
 */
const element = components => {
    const fiber = components.reduceRight((above, stateNode) => ({stateNode, return: above}), null);
    const node = {nodeType: 1, '__reactFiber$abc': {stateNode: null, return: fiber}};
    node['__reactFiber$abc'].stateNode = /** @type {any} */ (node);
    return node;
};

test('a picture that was held back is drawn, once', () => {
    const held = throttle('worm', 'cat');
    const image = element([{props: {}}, held, null, {props: {}}]);
    assert.equal(showHeldBack([image]), true);
    assert.equal(held._lastRenderedValue, 'worm');
    assert.equal(showHeldBack([image]), false);
});

test('pictures that show what they got are left alone, and those that React did not make are no trouble', () => {
    assert.equal(showHeldBack([element([throttle('cat', 'cat')]), /** @type {any} */ ({parentElement: null})]), false);
});
