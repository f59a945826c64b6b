// @ts-check
const assert = require('node:assert/strict');
const {EventEmitter} = require('node:events');
const {test} = require('node:test');
const {Recorder, digest, traceOf} = require('../lib/trace.js');

/** @param {string} name @param {object} [more] */
const target = (name, more = {}) => ({
    sprite: {name, sounds: [{soundId: 's', name: 'pop'}]},
    isOriginal: true,
    isStage: false,
    x: 0,
    y: 0,
    direction: 90,
    size: 100,
    rotationStyle: 'all around',
    draggable: false,
    visible: true,
    currentCostume: 0,
    volume: 100,
    effects: {ghost: 0},
    variables: /** @type {Record<string, any>} */ ({}),
    getLayerOrder: () => 1,
    getCostumes: () => [{name: 'costume1'}],
    getCustomState: () => null,
    ...more
});

/** @param {any[]} targets */
const program = targets => {
    const runtime = Object.assign(new EventEmitter(), {targets, threads: /** @type {any[]} */ ([]), startHats: () => []});
    const recorder = new Recorder({runtime});
    return {runtime, recorder};
};

test('a column holds changes only, with their ticks', () => {
    const kite = target('Kite');
    const {recorder} = program([kite]);
    recorder.sample();
    recorder.sample();
    kite.x = 0.1 + 0.2;
    recorder.sample();
    const {ticks, signals} = recorder.run();
    assert.equal(ticks, 3);
    assert.deepEqual(signals['Kite/x'], {t: [0, 2], v: [0, 0.3]});
    assert.deepEqual(signals['Kite/effect/ghost'], {t: [0], v: [0]});
    assert.deepEqual(signals['program/threads'], {t: [0], v: [0]});
});

test('clones are numbered as they come, whatever their ids', () => {
    const clones = [1, 2].map(() => target('Leaf', {isOriginal: false}));
    const {runtime, recorder} = program([target('Leaf')]);
    for (const clone of clones) {
        runtime.targets.push(clone);
        runtime.emit('targetWasCreated', clone);
    }
    recorder.sample();
    assert.ok(recorder.run().signals['Leaf#2/x']);
    assert.deepEqual(recorder.run().signals['events/clone'], {t: [0, 0], v: ['Leaf#1', 'Leaf#2']});
});

test('variables and lists are known by name; long lists by digest', () => {
    const kite = target('Kite', {
        variables: {
            a: {name: 'score', type: '', value: 1},
            b: {name: 'few', type: 'list', value: ['x', 2]},
            c: {name: 'many', type: 'list', value: Array.from({length: 100}, (_, i) => i)},
            d: {name: 'go', type: 'broadcast_msg', value: 'go'}
        }
    });
    const {recorder} = program([kite]);
    recorder.sample();
    const {signals} = recorder.run();
    assert.deepEqual(signals['Kite/variable/score'].v, [1]);
    assert.deepEqual(signals['Kite/list/few'].v, ['["x",2]']);
    assert.match(signals['Kite/list/many'].v[0], /^100 items, /);
    assert.equal(Object.keys(signals).some(name => name.includes('go')), false);
    assert.notEqual(digest(['ab', 'c']), digest(['a', 'bc']));
});

test('messages, words and sounds are events of the tick in which they happen', () => {
    const kite = target('Kite');
    const {runtime, recorder} = program([kite]);
    recorder.sample();
    runtime.startHats(.../** @type {[]} */ (/** @type {unknown} */ (['event_whenbroadcastreceived', {BROADCAST_OPTION: 'go'}])));
    runtime.emit('SAY', kite, 'say', 'hello');
    recorder.sound(kite, 's');
    recorder.sample();
    const trace = traceOf([recorder], {clock: {kind: 'virtual'}, seed: 3});
    const [{signals}] = trace.runs;
    assert.deepEqual(signals['events/broadcast'], {t: [1], v: ['go']});
    assert.deepEqual(signals['events/say'], {t: [1], v: ['Kite: hello']});
    assert.deepEqual(signals['events/sound'], {t: [1], v: ['Kite: pop']});
    assert.deepEqual([trace.format, trace.seed], [1, 3]);
});

test('a program that is looked at now and then keeps the last look, and its clones are counted', () => {
    const kite = target('Kite');
    const runtime = Object.assign(new EventEmitter(), {targets: [kite], threads: [], startHats: () => []});
    const recorder = new Recorder({runtime}, 3);
    for (const x of [1, 2, 3, 4]) {
        kite.x = x;
        recorder.sample();
    }
    runtime.targets.push(target('Kite', {isOriginal: false}));
    runtime.emit('targetWasCreated', runtime.targets[1]);
    recorder.end();
    const {ticks, signals} = recorder.run();
    assert.equal(ticks, 4);
    assert.deepEqual(signals['Kite/x'], {t: [2, 3], v: [3, 4]});
    assert.deepEqual(signals['clones/Kite'], {t: [2, 3], v: [0, 1]});
    assert.ok(!signals['Kite#1/x'] && !signals['events/clone']);
});

test('long texts are known by beginning, length and digest, wherever they stand', () => {
    const long = 'x'.repeat(1e6);
    const kite = target('Kite', {
        variables: {
            a: {name: 'words', type: '', value: long},
            b: {name: 'few', type: 'list', value: [long, 1]},
            c: {name: `${long}y`, type: '', value: 0}
        }
    });
    const {runtime, recorder} = program([kite]);
    recorder.sample();
    recorder.sample();
    kite.variables.a.value = `${long.slice(1)}y`;
    kite.variables.b.value = [`${long.slice(1)}y`, 1];
    runtime.emit('SAY', kite, 'say', long);
    runtime.emit('QUESTION', long);
    recorder.sample();
    const {signals} = recorder.run();
    const {t, v} = signals['Kite/variable/words'];
    assert.deepEqual([t, new Set(v).size], [[0, 2], 2]);
    assert.match(v[0], /^x{500}… \(1000000 characters, /);
    assert.equal(new Set(signals['Kite/list/few'].v).size, 2);
    assert.match(signals['events/say'].v[0], /^Kite: x{500}… \(1000000 characters, /);
    assert.ok(JSON.stringify(recorder.run()).length < 20000);
});

test('what a trace has no room for is counted and digested, and two programs that differ there still do', () => {
    const traced = (/** @type {(tick: number) => number} */ way) => {
        const kite = target('Kite');
        const runtime = Object.assign(new EventEmitter(), {targets: [kite], threads: [], startHats: () => []});
        const recorder = new Recorder({runtime}, undefined, {left: 3000});
        for (let tick = 0; tick < 500; tick += 1) {
            kite.x = way(tick);
            recorder.sample();
        }
        return recorder.run();
    };
    const one = traced(tick => tick);
    assert.ok(one.signals['Kite/x'].t.length < 100);
    const {t, v} = one.signals['program#/beyond'];
    assert.ok(t[0] < 100 && /^[0-9]+ changes, [0-9a-f]+$/.test(v[0]), JSON.stringify([t, v]));
    assert.deepEqual(traced(tick => tick), one);
    const other = traced(tick => (tick === 400 ? 0 : tick));
    assert.deepEqual(other.signals['Kite/x'], one.signals['Kite/x']);
    assert.notDeepEqual(other.signals['program#/beyond'], one.signals['program#/beyond']);
});

test('a program that has ended is known by a digest once others need its room', () => {
    const traced = (/** @type {number} */ step) => {
        const kite = target('Kite');
        const recorder = new Recorder({runtime: Object.assign(new EventEmitter(), {targets: [kite], threads: [], startHats: () => []})});
        for (let tick = 0; tick < 20; tick += 1) {
            kite.x += step;
            recorder.sample();
        }
        recorder.fold();
        return recorder.run();
    };
    const one = traced(1);
    assert.deepEqual(Object.keys(one.signals), ['program#/beyond']);
    assert.deepEqual([one.ticks, traced(1)], [20, one]);
    assert.notDeepEqual(traced(2), one);
});

test('sprites and variables may be called like what every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
        const sprite = target(name);
        const runtime = Object.assign(new EventEmitter(), {targets: [sprite], threads: [], startHats: () => []});
        const recorder = new Recorder({runtime}, 1);
        recorder.sample();
        sprite.x = 7;
        recorder.sample();
        const {signals} = recorder.run();
        assert.deepEqual(signals[`${name}/x`].v.at(-1), 7, name);
        assert.ok(Object.hasOwn(signals, `clones/${name}`), name);
    }
});
