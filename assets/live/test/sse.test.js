// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Messages} from '../lib/sse.js';

const TEXT = ': alive\n\nevent: cells\nid: 7\ndata: {"a":\ndata: 1}\n\nid: 8\ndata:x\n\n';
const WANTED = [
    {event: 'cells', id: '7', data: '{"a":\n1}'},
    {event: 'message', id: '8', data: 'x'}
];

test('messages are the same however they are cut, and with either end of lines', () => {
    for (const text of [TEXT, TEXT.replaceAll('\n', '\r\n'), TEXT.replaceAll('\n', '\r')]) {
        for (let size = 1; size <= text.length; size++) {
            const messages = new Messages();
            const all = [];
            for (let at = 0; at < text.length; at += size) all.push(...messages.push(text.slice(at, at + size)));
            // A lone return at the end may be half of a line's end.
            if (text.endsWith('\r')) all.push(...messages.push('\n'));
            assert.deepEqual(all, WANTED, `${JSON.stringify(text)} in pieces of ${size}`);
        }
    }
});

test('what is not complete waits', () => {
    const messages = new Messages();
    assert.deepEqual(messages.push('data: 1\n'), []);
    assert.deepEqual(messages.push('\n'), [{event: 'message', id: '', data: '1'}]);
});
