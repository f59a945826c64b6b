// @ts-check
// Notes what the page receives and what it does to the program: input events, Blockly events, changes of the
// VM. The driver takes the notes away after each call; until then they are kept here, up to a limit.
//
// Input is noted in the capture phase at the window, before any code of the editor sees it, and before code
// that could keep it from going on.

/**
 * @typedef {{at: number, kind: 'input' | 'workspace' | 'vm', [field: string]: any}} Note
 * @typedef {{now: number, notes: Note[], dropped: number}} Taken
 */

/** Notes kept between two calls; a long text typed key by key makes three a character. */
const LIMIT = 4096;
/** What real input becomes. Mouse events only repeat what the pointer events tell. */
const INPUT = ['pointerdown', 'pointermove', 'pointerup', 'wheel', 'keydown', 'keyup', 'input', 'dblclick', 'contextmenu'];
/** What scripts dispatch in its place. */
const SYNTHETIC = ['mousedown', 'mousemove', 'mouseup', 'click', 'paste', 'drop'];
/** Blockly's event types that alter a program; the others are about what is selected, scrolled or dragged. */
const PROGRAM = /^(create|delete|change|move|var_\w+|comment_(create|delete|change|move)|block_comment_\w+)$/;
/** Characters of any text that a note repeats. */
const TEXT = 80;

/** @type {Note[]} */
let notes = [];
let dropped = 0;
// Judged projects replace the page's clock; notes are always in real time.
const now = performance.now.bind(performance);

/**
 * @param {Note['kind']} kind
 * @param {object} fields
 * @param {number} [at]
 */
const note = (kind, fields, at = now()) => {
    if (notes.length < LIMIT) notes.push({at, kind, ...fields});
    else dropped += 1;
};

/** @param {unknown} value */
const short = value => String(value).slice(0, TEXT);

/**
 * @param {EventTarget | null} target
 * @returns {string | undefined} enough for a reader to recognise it by
 */
const hint = target => {
    if (!(target instanceof Element)) return undefined;
    const name = target.id || target.getAttribute('title') || target.getAttribute('alt') || target.getAttribute('class');
    const block = target.closest('[data-id]');
    const parts = [target.tagName.toLowerCase(), name && short(name), block && `block ${block.getAttribute('data-id')}`];
    return parts.filter(Boolean).join(' ');
};

/** @param {number} pixels */
const hundredths = pixels => Math.round(pixels * 100) / 100;

/** @param {any} event */
const inputFields = event => {
    /** @type {Record<string, any>} */
    const fields = {type: event.type, trusted: event.isTrusted};
    if ('clientX' in event) {
        const at = {x: hundredths(event.clientX), y: hundredths(event.clientY)};
        Object.assign(fields, at, {button: event.button, buttons: event.buttons});
    }
    if (event.type === 'wheel') fields.wheel = [event.deltaX, event.deltaY];
    if (typeof event.key === 'string') fields.key = short(event.key);
    if (typeof event.inputType === 'string') fields.input_type = event.inputType;
    if (event.type !== 'pointermove' && event.type !== 'mousemove') fields.target = hint(event.target);
    return fields;
};

/**
 * Begins to note input. Called before any code of the page runs.
 * @param {Window} window
 */
const listen = window => {
    const onInput = (/** @type {Event} */ event) => note('input', inputFields(event), event.timeStamp);
    const onSynthetic = (/** @type {Event} */ event) => {
        if (!event.isTrusted) onInput(event);
    };
    for (const type of INPUT) window.addEventListener(type, onInput, {capture: true, passive: true});
    for (const type of SYNTHETIC) window.addEventListener(type, onSynthetic, {capture: true, passive: true});
};

/**
 * @param {any} event a Blockly event that alters a program
 * @returns {Record<string, any>} what else there is to say about it
 */
const blocklyDetail = event => {
    /** @type {Record<string, any>} */
    const detail = {};
    if (event.newParentId) detail.parent = event.newParentId;
    if (event.newInputName) detail.input = event.newInputName;
    if (event.newCoordinate) Object.assign(detail, {x: event.newCoordinate.x, y: event.newCoordinate.y});
    if (event.element) detail.element = event.element;
    if (event.name) detail.name = short(event.name);
    if (event.varName || event.newName) detail.variable = short(event.newName || event.varName);
    if (event.newValue !== undefined) detail.value = short(event.newValue);
    return detail;
};

/**
 * @param {any} blocks the VM's container of a sprite's blocks, before the event is carried out
 * @param {any} event
 * @returns {{id: string, opcode: string}[]}
 */
const blocksOf = (blocks, event) => {
    if (!event.blockId) return [];
    const ids = event.ids && event.ids.length > 0 ? event.ids : [event.blockId];
    const opcode = (/** @type {string} */ id) => {
        const known = blocks.getBlock(id);
        if (known) return known.opcode;
        const xml = event.type === 'create' && id === event.blockId && event.xml && event.xml.getAttribute;
        return xml ? event.xml.getAttribute('type') || '' : '';
    };
    return ids.map((/** @type {string} */ id) => ({id, opcode: opcode(id)}));
};

/**
 * Whether the VM will do anything about it: a sprite that is shown again makes the workspace tell of every
 * block as if it were new.
 * @param {any} blocks
 * @param {any} event
 */
const matters = (blocks, event) => {
    if (event.type === 'create') return !blocks.getBlock(event.blockId);
    if (event.type === 'delete') return Boolean(blocks.getBlock(event.blockId));
    return PROGRAM.test(event.type);
};

/**
 * Notes what reaches the containers of blocks: through the workspace, or behind its back.
 * @param {any} vm
 */
const watchBlocks = vm => {
    const {flyoutBlocks, monitorBlocks} = vm.runtime;
    const prototype = Object.getPrototypeOf(flyoutBlocks);
    const isOurs = (/** @type {any} */ blocks) => blocks !== flyoutBlocks && blocks !== monitorBlocks && !blocks.forceNoGlow;
    const spriteOf = (/** @type {any} */ blocks) => {
        const target = vm.runtime.targets.find((/** @type {any} */ one) => one.blocks === blocks);
        return target ? target.getName() : '';
    };
    let listening = 0;
    const listen = prototype.blocklyListen;
    prototype.blocklyListen = function (/** @type {any} */ event) {
        if (isOurs(this) && PROGRAM.test(event.type) && matters(this, event)) {
            const fields = {blocks: blocksOf(this, event), detail: blocklyDetail(event)};
            note('workspace', {change: event.type, sprite: spriteOf(this), ...fields});
        }
        listening += 1;
        try {
            return listen.call(this, event);
        } finally {
            listening -= 1;
        }
    };
    for (const method of ['createBlock', 'deleteBlock', 'changeBlock', 'moveBlock']) {
        const original = prototype[method];
        prototype[method] = function (/** @type {any[]} */ ...args) {
            if (listening === 0 && isOurs(this)) behindTheWorkspace(spriteOf(this));
            return original.apply(this, args);
        };
    }
};

/**
 * Blocks come by the hundred when a project or sprite is loaded: one note stands for a row of them.
 * @param {string} sprite
 */
const behindTheWorkspace = sprite => {
    const last = notes[notes.length - 1];
    if (last && last.kind === 'vm' && last.change === 'blocks' && last.detail.sprite === sprite) last.detail.count += 1;
    else note('vm', {change: 'blocks', detail: {sprite, count: 1}});
};

/**
 * Notes what the VM tells of itself.
 * @param {any} vm
 */
const watchVm = vm => {
    const tell = (/** @type {string} */ name, /** @type {string} */ change) =>
        vm.on(name, () => note('vm', {change, detail: {}}));
    tell('PROJECT_START', 'green_flag');
    tell('PROJECT_STOP_ALL', 'stop');
    tell('PROJECT_RUN_START', 'run_start');
    tell('PROJECT_RUN_STOP', 'run_stop');
    vm.runtime.on('PROJECT_LOADED', () => note('vm', {change: 'loaded', detail: {}}));
    vm.on('PROJECT_CHANGED', () => {
        // It follows each change of blocks, which has its own note.
        const last = notes[notes.length - 1];
        if (!last || last.kind === 'input') note('vm', {change: 'project_changed', detail: {}});
    });
    let names = '';
    let editing = '';
    vm.on('targetsUpdate', () => {
        const targets = vm.runtime.targets.filter((/** @type {any} */ one) => one.isOriginal);
        const list = targets.map((/** @type {any} */ one) => one.getName());
        const shown = vm.editingTarget ? vm.editingTarget.getName() : '';
        if (list.join('\n') !== names) {
            names = list.join('\n');
            note('vm', {change: 'targets', detail: {targets: list}});
        }
        if (shown !== editing) {
            editing = shown;
            note('vm', {change: 'editing_target', detail: {target: shown}});
        }
    });
};

let attached = false;

/**
 * Begins to note changes of the program, once.
 * @param {any} vm the editor's virtual machine
 */
const attach = vm => {
    if (attached) return;
    attached = true;
    watchBlocks(vm);
    watchVm(vm);
};

/** @returns {Taken} everything noted since the last call, with the page's time as it is now */
const take = () => {
    const taken = {now: now(), notes, dropped};
    notes = [];
    dropped = 0;
    return taken;
};

module.exports = {attach, listen, take};
