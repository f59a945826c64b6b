// @ts-check
// The recorder on hand-made windows and VMs.
const assert = require('node:assert');
const {test} = require('node:test');

/** A fresh recorder: it keeps its notes in the module. */
const recorder = () => {
    delete require.cache[require.resolve('../lib/event-record')];
    return require('../lib/event-record');
};

class Element {
    /** @param {string} id */
    constructor(id) {
        this.id = id;
        this.tagName = 'BUTTON';
    }
    closest() {
        return null;
    }
}

const fakeWindow = () => {
    /** @type {Map<string, (event: any) => void>} */
    const listeners = new Map();
    /** @type {any} */ (globalThis).Element = Element;
    return {
        listeners,
        addEventListener: (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
            listeners.set(type, listener)
    };
};

class Blocks {
    constructor(flag = false) {
        this.forceNoGlow = flag;
        /** @type {Record<string, any>} */
        this._blocks = {};
    }
    /** @param {string} id */
    getBlock(id) {
        return this._blocks[id];
    }
    /** @param {any} event */
    blocklyListen(event) {
        if (event.type === 'create') this.createBlock({id: event.blockId, opcode: 'looks_show'});
    }
    /** @param {any} block */
    createBlock(block) {
        this._blocks[block.id] = block;
    }
    deleteBlock() {}
    changeBlock() {}
    moveBlock() {}
}

const fakeVm = () => {
    const {EventEmitter} = require('node:events');
    const runtime = Object.assign(new EventEmitter(), {
        flyoutBlocks: new Blocks(true),
        monitorBlocks: new Blocks(true),
        targets: [{blocks: new Blocks(), isOriginal: true, getName: () => 'Ball'}]
    });
    return Object.assign(new EventEmitter(), {runtime, editingTarget: runtime.targets[0]});
};

test('input is noted with its trust and its own time', () => {
    const {listen, take} = recorder();
    const window = fakeWindow();
    listen(/** @type {any} */ (window));
    const event = {type: 'pointerdown', isTrusted: true, timeStamp: 12, clientX: 5.126, clientY: 6, button: 0, buttons: 1};
    window.listeners.get('pointerdown')?.({...event, target: new Element('go')});
    window.listeners.get('click')?.({type: 'click', isTrusted: true, timeStamp: 13});
    window.listeners.get('click')?.({type: 'click', isTrusted: false, timeStamp: 14});
    const {notes} = take();
    assert.deepStrictEqual(notes[0], {
        at: 12, kind: 'input', type: 'pointerdown', trusted: true, x: 5.13, y: 6, button: 0, buttons: 1, target: 'button go'
    });
    assert.deepStrictEqual(notes.slice(1).map(note => [note.type, note.trusted]), [['click', false]]);
    assert.deepStrictEqual(take().notes, []);
});

test('blocks are noted by the way they came', () => {
    const {attach, take} = recorder();
    const vm = fakeVm();
    attach(vm);
    const {blocks} = vm.editingTarget;
    blocks.blocklyListen({type: 'create', blockId: 'a'});
    blocks.blocklyListen({type: 'create', blockId: 'a'});
    blocks.blocklyListen({type: 'selected', blockId: 'a'});
    vm.runtime.flyoutBlocks.blocklyListen({type: 'create', blockId: 'f'});
    blocks.createBlock({id: 'b'});
    blocks.createBlock({id: 'c'});
    const notes = take().notes.map(({kind, change, detail}) => [kind, change, detail.count]);
    assert.deepStrictEqual(notes, [['workspace', 'create', undefined], ['vm', 'blocks', 2]]);
});

test('what the VM tells is noted once, and the list of sprites when it changes', () => {
    const {attach, take} = recorder();
    const vm = fakeVm();
    attach(vm);
    attach(vm);
    vm.emit('PROJECT_START');
    vm.emit('targetsUpdate');
    vm.emit('targetsUpdate');
    assert.deepStrictEqual(take().notes.map(note => note.change), ['green_flag', 'targets', 'editing_target']);
});

test('what is too much is counted', () => {
    const {attach, take} = recorder();
    const vm = fakeVm();
    attach(vm);
    for (let i = 0; i < 5000; i++) vm.emit('PROJECT_START');
    const {notes, dropped} = take();
    assert.strictEqual(notes.length + dropped, 5000);
    assert.ok(dropped > 0);
});
