// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {Unmet} = require('../lib/expect.js');
const {Motion, Track, turn} = require('../lib/motion.js');
const {Ticks} = require('../lib/ticks.js');
const {fakeTarget, fakeVm} = require('./fake-vm.js');

/** @param {object[]} samples what differs from a sprite at rest in the middle */
const trackOf = samples =>
    new Track(
        samples.map((sample, tick) => ({
            tick,
            x: 0,
            y: 0,
            direction: 90,
            size: 100,
            costume: 'plain',
            visible: true,
            unseen: null,
            covered: false,
            ...sample
        }))
    );

/** A kite that rises by ten with each tick. */
const rising = () => {
    const kite = fakeTarget({sprite: {name: 'Kite'}, x: 0, y: 0});
    const vm = fakeVm();
    vm.runtime.targets.push(kite);
    vm.runtime._step = () => {
        kite.y += 10;
    };
    return {vm, kite, motion: new Motion(vm, new Ticks(vm))};
};

test('ways are added up, and rounding is no motion', () => {
    const track = trackOf([{x: 0}, {x: 30}, {x: 30, y: 40}, {x: 0, y: 0}]);
    assert.deepEqual([track.moved, track.travelled, track.longestStep], [true, 120, 50]);
    assert.equal(trackOf([{x: 0.3}, {x: 0.1 + 0.2}]).moved, false);
});

test('turning goes the shorter way, over the top too', () => {
    assert.deepEqual([turn(170, -170), turn(-170, 170), turn(0, 180), turn(90, 90)], [20, -20, 180, 0]);
    const spin = trackOf([90, 180, -90, 0, 90].map(direction => ({direction})));
    assert.equal(spin.turned, 360);
    assert.equal(trackOf([{direction: 90}, {direction: 60}]).turned, -30);
});

test('a box may be open, and its edges belong to it', () => {
    const track = trackOf([{x: 0}, {x: 100}, {x: 101}]);
    assert.equal(track.leaves({right: 100})?.tick, 2);
    assert.equal(track.leaves({left: 0, right: 101}), null);
    assert.equal(track.leaves({top: -1})?.tick, 0);
});

test('a point is reached exactly, or as near as said', () => {
    const track = trackOf([{x: 0}, {x: 7, y: 1}, {x: 10}]);
    assert.equal(track.reaches({x: 10, y: 0})?.tick, 2);
    assert.equal(track.reaches({x: 8, y: 1}, 2)?.tick, 1);
    assert.equal(track.reaches({x: 9, y: 0}), null);
});

test('costumes are listed in turn', () => {
    const track = trackOf(['a', 'a', 'b', 'a', 'a'].map(costume => ({costume})));
    assert.deepEqual(track.costumes, ['a', 'b', 'a']);
});

test('a costume that nobody sees is none that was worn, and being unseen at any time can be told', () => {
    const track = trackOf([{costume: 'a'}, {costume: 'b', unseen: 'is hidden'}, {costume: 'c'}]);
    assert.deepEqual(track.costumes, ['a', 'c']);
    assert.throws(() => track.expectSeen('on its way'), {message: 'the sprite is hidden, on its way'});
    assert.doesNotThrow(() => trackOf([{}, {}]).expectSeen());
});

test('watching samples now and after each tick', async () => {
    const {vm, kite, motion} = rising();
    const track = await vm.during(motion.during(kite, 3));
    assert.deepEqual(
        track.samples.map((/** @type {any} */ {tick, y, costume}) => [tick, y, costume]),
        [
            [-1, 0, 'plain'],
            [0, 10, 'plain'],
            [1, 20, 'plain'],
            [2, 30, 'plain']
        ]
    );
    vm.runtime._step();
    assert.equal(track.samples.length, 4);
});

test('a deleted clone is watched no more', () => {
    const {vm, kite, motion} = rising();
    const track = motion.watch(kite);
    vm.runtime._step();
    vm.runtime.targets.pop();
    vm.runtime._step();
    assert.equal(track.last.y, 10);
});

test('a place is waited for, and missing it fails the case', async () => {
    const {vm, kite, motion} = rising();
    await vm.during(motion.reaches(kite, {x: 0, y: 50}, 10000));
    assert.equal(kite.y, 50);
    await assert.rejects(vm.during(motion.reaches(kite, {x: 1, y: 0}, 1)), /Kite reached \(1, 0\)/);
});

test('a place that is reached unseen, and a box in which nobody sees it stay, do not count unless it may hide', async () => {
    const {vm, kite, motion} = rising();
    kite.visible = false;
    await assert.rejects(vm.during(motion.reaches(kite, {x: 0, y: 50}, 10000)), {
        message: 'the Kite is hidden, where it reached (0, 50)'
    });
    await vm.during(motion.reaches(kite, {x: 0, y: 80}, 10000, undefined, {mayHide: true}));
    await assert.rejects(vm.during(motion.staysWithin(kite, {top: 150}, 2)), /the Kite is hidden, where it should stay/);
    await vm.during(motion.staysWithin(kite, {top: 150}, 2, {mayHide: true}));
});

test('leaving a box fails the case and tells where', async () => {
    const {vm, kite, motion} = rising();
    await vm.during(motion.staysWithin(kite, {top: 30}, 3));
    await assert.rejects(vm.during(motion.staysWithin(kite, {top: 45}, 3)), error => {
        assert.ok(error instanceof Unmet);
        return error.message === 'Kite should stay within top 45, but was at (0, 50)';
    });
});

test('a clone that was deleted was not seen to the end, and did not stay', async () => {
    const {vm, kite, motion} = rising();
    const ends = () => {
        const step = vm.runtime._step;
        vm.runtime._step = () => {
            step();
            if (kite.y >= 30) vm.runtime.targets = [];
        };
    };
    const track = motion.watch(kite);
    track.expectSeen();
    ends();
    await assert.rejects(vm.during(motion.staysWithin(kite, {top: 500}, 5)), {message: 'the Kite was deleted, where it should stay'});
    assert.ok(track.isGone);
    assert.throws(() => track.expectSeen('on its way'), {message: 'the Kite was deleted, on its way'});
    vm.runtime.targets = [kite];
    kite.y = 0;
    const mayHide = {mayHide: true};
    await assert.rejects(vm.during(motion.staysWithin(kite, {top: 500}, 5, mayHide)), {message: 'Kite should stay, but was deleted'});
});
