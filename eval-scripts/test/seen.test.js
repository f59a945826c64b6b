// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {expectSeen, isSeen, unseen} = require('../lib/seen.js');
const {fakeTarget} = require('./fake-vm.js');

/** @param {object} how @returns {any} a Ferry of 20 by 20 in the middle */
const ferry = how => fakeTarget({sprite: {name: 'Ferry'}, ...how});

/** @param {number} left @param {number} right @param {number} bottom @param {number} top */
const within = (left, right, bottom, top) => ferry({getBounds: () => ({left, right, bottom, top})});

test('a sprite that shows is seen, and so is the stage at any time', () => {
    assert.equal(unseen(ferry({})), null);
    assert.ok(isSeen(ferry({isOriginal: false})));
    assert.equal(unseen(ferry({isStage: true, visible: false, effects: {ghost: 100}})), null);
});

test('a hidden sprite is not, but one that is held by the pointer in the editor is', () => {
    assert.equal(unseen(ferry({visible: false})), 'is hidden');
    assert.equal(unseen(ferry({visible: false, dragging: true})), null);
});

test('a clone that was deleted is not', () => {
    assert.equal(unseen(ferry({runtime: {targets: []}})), 'is gone');
    const clone = ferry({});
    clone.runtime = {targets: [clone]};
    assert.equal(unseen(clone), null);
});

test('a ghost of 98 and more leaves nothing to see', () => {
    const withGhost = (/** @type {number} */ ghost) => unseen(ferry({effects: {ghost}}));
    assert.deepEqual([60, 97.9, 98, 100, 250].map(withGhost), [null, null, 'is transparent', 'is transparent', 'is transparent']);
});

test('what is drawn must be 100 square steps', () => {
    assert.equal(unseen(within(-5, 5, -5, 5)), null);
    assert.equal(unseen(within(-5, 5, -5, 4.9)), 'is too small to see');
    assert.equal(unseen(within(0, 5, 0, 5)), 'is too small to see', 'size 0');
    assert.equal(unseen(within(-60, 60, -1, 1)), null, 'a rope');
});

test('what the fence keeps on the stage is not seen, and more is', () => {
    // As the renderer fences a costume of 60 by 40 that is sent far away: 15 steps stay.
    assert.equal(unseen(within(225, 285, -20, 20)), 'is off the stage');
    assert.equal(unseen(within(-284.5, -224.5, -20, 20)), 'is off the stage', 'the fence puts it at a whole number');
    assert.equal(unseen(within(-30, 30, 165, 205)), 'is off the stage');
    assert.equal(unseen(within(-30, 30, -205, -165)), 'is off the stage');
    assert.equal(unseen(within(220, 280, -20, 20)), null);
    // Of a costume of 100 by 24, 12 steps stay, and the borders of what is drawn may be transparent.
    assert.equal(unseen(within(228.5, 327.5, -6, 6)), 'is off the stage');
    // Of one of 20 by 20, half stays.
    assert.equal(unseen(within(230, 250, -10, 10)), 'is off the stage');
    assert.equal(unseen(within(228, 248, -10, 10)), null);
    // What is beyond the fence altogether, and what only lies along an edge.
    assert.equal(unseen(within(300, 360, -20, 20)), 'is off the stage');
    assert.equal(unseen(within(-240, 240, -180, -165)), null);
    assert.equal(unseen(within(-480, 480, -180, -70)), null);
});

test('the message says who, why and when', () => {
    assert.doesNotThrow(() => expectSeen(ferry({}), 'after the crossing'));
    assert.throws(() => expectSeen(ferry({visible: false}), 'after the crossing'), error => {
        return error instanceof Unmet && error.message === 'the Ferry is hidden, after the crossing';
    });
    assert.throws(() => expectSeen(ferry({visible: false})), {message: 'the Ferry is hidden'});
});
