// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {restAudio} from '../rest-audio.js';

/** A page with as much of Web Audio as decides when a context runs. */
const page = () => {
    class AudioContext {
        runs = true;
        get state() {
            return this.runs ? 'running' : 'suspended';
        }
        suspend() {
            this.runs = false;
        }
        resume() {
            this.runs = true;
        }
        /** @param {any} _stream */
        createMediaStreamSource(_stream) {
            return {};
        }
    }
    class AudioScheduledSourceNode extends EventTarget {
        /** @param {any} context */
        constructor(context) {
            super();
            this.context = context;
        }
        start() {}
    }
    class AudioBufferSourceNode extends AudioScheduledSourceNode {
        start() {}
    }
    const window = {AudioContext, AudioScheduledSourceNode, AudioBufferSourceNode};
    restAudio(window);
    return window;
};

test('a context rests until something plays, and again a second after the last sound', t => {
    t.mock.timers.enable({apis: ['setTimeout']});
    const window = page();
    const context = new window.AudioContext();
    assert.equal(context.runs, false);
    const sources = [new window.AudioBufferSourceNode(context), new window.AudioScheduledSourceNode(context)];
    for (const source of sources) source.start();
    assert.equal(context.runs, true);
    sources[0].dispatchEvent(new Event('ended'));
    t.mock.timers.tick(5000);
    assert.equal(context.runs, true, 'the other source still plays');
    sources[1].dispatchEvent(new Event('ended'));
    t.mock.timers.tick(999);
    assert.equal(context.runs, true);
    t.mock.timers.tick(1);
    assert.equal(context.runs, false);
});

test('a sound within the second keeps the context running', t => {
    t.mock.timers.enable({apis: ['setTimeout']});
    const window = page();
    const context = new window.AudioContext();
    const [first, second] = [new window.AudioBufferSourceNode(context), new window.AudioBufferSourceNode(context)];
    first.start();
    first.dispatchEvent(new Event('ended'));
    t.mock.timers.tick(500);
    second.start();
    t.mock.timers.tick(5000);
    assert.equal(context.runs, true);
});

test('asking a silent context to run changes nothing', () => {
    const window = page();
    const context = new window.AudioContext();
    context.resume();
    assert.equal(context.runs, false);
    assert.equal(context.state, 'running', 'or the editor asks again in every frame');
});

test('a microphone keeps its context running', () => {
    const window = page();
    const context = new window.AudioContext();
    context.createMediaStreamSource({});
    assert.equal(context.runs, true);
});
