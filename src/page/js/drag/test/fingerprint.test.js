// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {fingerprint} = require('../lib/fingerprint');

test('texts have the hashes that FNV-1a gives them', () => {
    assert.equal(fingerprint(''), '0:811c9dc5');
    assert.equal(fingerprint('a'), '1:e40c292c');
    assert.equal(fingerprint('foobar'), '6:bf9cf968');
});
