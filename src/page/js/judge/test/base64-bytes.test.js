// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');

const {base64Of, bytesOf} = require('../lib/base64-bytes.js');

test('files come back as they went, also long ones', () => {
    const bytes = Uint8Array.from({length: 100_000}, (_, i) => (i * 7 + (i >> 8)) % 256);
    assert.equal(base64Of(bytes), Buffer.from(bytes).toString('base64'));
    assert.deepEqual(new Uint8Array(bytesOf(base64Of(bytes))), bytes);
    assert.equal(base64Of(new Uint8Array()), '');
});
