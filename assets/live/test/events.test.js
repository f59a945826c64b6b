// @ts-check
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isDetail, rowsOf} from '../lib/events.js';

test('a reply belongs to the request that it names', () => {
    const events = [
        {seq: 1, at_ms: 0, kind: 'request', api: 'click'},
        {seq: 2, at_ms: 1, kind: 'input', request: 1},
        {seq: 3, at_ms: 2, kind: 'reply', request: 1, code: 'ok'},
        {seq: 4, at_ms: 3, kind: 'request', api: 'key'},
        {seq: 5, at_ms: 3, kind: 'reply', request: 99, code: 'ok'}
    ];
    assert.deepEqual(rowsOf(events).map(({request, reply}) => [request.api, reply?.seq]), [['click', 3], ['key', undefined]]);
    assert.deepEqual(events.map(isDetail), [false, true, false, false, false]);
});
