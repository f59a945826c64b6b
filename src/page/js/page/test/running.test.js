// @ts-check
const {test} = require('node:test');
const assert = require('node:assert/strict');
const running = require('../fn/running.js');

/** @param {any[]} threads */
const ask = threads => running(/** @type {any} */ ({vm: {runtime: {threads}}}), null);

test('a project runs while a thread does that is not there for a monitor', () => {
    assert.equal(ask([]), false);
    assert.equal(ask([{updateMonitor: true}]), false);
    assert.equal(ask([{updateMonitor: true}, {updateMonitor: false}]), true);
});
