// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {OneLoad} = require('../lib/one-load.js');

test('a load that takes longer than a call is waited for by the next one', async () => {
    const loads = new OneLoad();
    /** @type {(result: any) => void} */
    let end = () => {};
    assert.equal(loads.has(1), false);
    assert.equal(await loads.waitFor(0), null, 'there is none');
    loads.begin(1, new Promise(resolve => (end = resolve)));
    assert.equal(await loads.waitFor(0), null, 'it goes on');
    assert.equal(loads.has(1), true);
    end({targets: 3});
    assert.deepEqual(await loads.waitFor(0), {targets: 3});
});

test('a result that was lost on its way is told again, and is never that of another file', async () => {
    const loads = new OneLoad();
    loads.begin(1, Promise.resolve({targets: 3}));
    await loads.waitFor(0);
    assert.deepEqual(await loads.waitFor(0), {targets: 3});
    assert.equal(loads.has(2), false, 'another file is to be begun first');
    loads.begin(2, Promise.resolve({targets: 5}));
    assert.equal(loads.has(1), false);
    assert.deepEqual(await loads.waitFor(0), {targets: 5});
});
