// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {holds, same} = require('../lib/assertions.js');
const fixture = require('./assertions.json');

test('the cases that are shared with the forge hold or do not', () => {
    for (const {feature, holds: wanted} of fixture.cases) {
        assert.equal(holds(/** @type {any} */ (feature), /** @type {any} */ (fixture.run), fixture.every), wanted, JSON.stringify(feature));
    }
});

test('nothing holds in a run whose trace was full before its end', () => {
    const run = {...fixture.run, signals: {...fixture.run.signals, 'program#/beyond': {t: [40], v: ['3 changes, 0badcafe']}}};
    for (const {feature} of fixture.cases) {
        assert.equal(holds(/** @type {any} */ (feature), /** @type {any} */ (run), fixture.every), false, JSON.stringify(feature));
    }
});

test('values are equal as in Scratch', () => {
    assert.ok(same('0', 0) && same('A b', 'a B') && same(1, 1.009) && same(true, 1) && same(null, null));
    assert.ok(!same('', 0) && !same(1, 1.02) && !same('a', 'b') && !same(null, 'null'));
});

test('an unknown kind is a fault of the suite', () => {
    assert.throws(() => holds({kind: 'smells'}, /** @type {any} */ (fixture.run), 10), /smells/);
});
