// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {OneLoad} = require('../lib/one-load.js');

test('a load that takes longer than a call is waited for by the next one, and its result is given once', async () => {
    const loads = new OneLoad();
    /** @type {(result: any) => void} */
    let end = () => {};
    assert.equal(loads.isBusy(), false);
    loads.begin(new Promise(resolve => (end = resolve)));
    assert.equal(await loads.waitFor(0), null, 'it goes on');
    assert.equal(loads.isBusy(), true);
    end({targets: 3});
    assert.deepEqual(await loads.waitFor(0), {targets: 3});
    assert.equal(loads.isBusy(), false, 'the page can load another one');
});
