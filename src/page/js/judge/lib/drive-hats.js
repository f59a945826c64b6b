// @ts-check
// Sets off every script of a program once, for comparing traces: what no input reaches can't show.

/** Ticks between two inputs: half a second. */
const GAP_MS = 500;
/** How long the flag's scripts run before and after the inputs. */
const FLAG_MS = 3000;
/** Names of keys in Scratch and in browsers. @type {Record<string, string>} */
const KEYS = {
    space: ' ',
    'left arrow': 'ArrowLeft',
    'right arrow': 'ArrowRight',
    'up arrow': 'ArrowUp',
    'down arrow': 'ArrowDown',
    enter: 'Enter',
    any: 'a'
};
/** Answers to whatever is asked. */
const ANSWERS = ['7', 'abba'];

/** @param {any} block @param {string} field */
const fieldOf = (block, field) => block.fields[field]?.value;

/**
 * Inputs for one hat or for one block that reads an input, by opcode.
 * @type {Record<string, (vm: any, target: any, block: any) => (() => void)[]>}
 */
const INPUTS = {
    event_whenkeypressed: (vm, _target, block) => tap(vm, fieldOf(block, 'KEY_OPTION')),
    sensing_keyoptions: (vm, _target, block) => tap(vm, fieldOf(block, 'KEY_OPTION')),
    event_whenthisspriteclicked: (vm, target) => [
        () => vm.runtime.startHats('event_whenthisspriteclicked', null, target)
    ],
    event_whenstageclicked: (vm, target) => [() => vm.runtime.startHats('event_whenstageclicked', null, target)],
    event_whenbackdropswitchesto: (vm, _target, block) => [
        () => vm.runtime.startHats('event_whenbackdropswitchesto', {BACKDROP: fieldOf(block, 'BACKDROP')})
    ],
    event_whenbroadcastreceived: (vm, _target, block) => [
        () => vm.runtime.startHats('event_whenbroadcastreceived', {BROADCAST_OPTION: fieldOf(block, 'BROADCAST_OPTION')})
    ],
    sensing_mousedown: vm => [() => mouse(vm, 250, 170, true), () => mouse(vm, 250, 170, false)],
    sensing_mousex: vm => [() => mouse(vm, 100, 100, false), () => mouse(vm, 400, 300, false)],
    sensing_mousey: vm => [() => mouse(vm, 100, 300, false), () => mouse(vm, 400, 100, false)]
};

/** @param {any} vm @param {string} name a key as Scratch names it @returns {(() => void)[]} */
const tap = (vm, name) => {
    const key = KEYS[name] ?? name;
    return [true, false].map(isDown => () => vm.postIOData('keyboard', {key, isDown}));
};

/** @param {any} vm @param {number} x @param {number} y @param {boolean} isDown */
const mouse = (vm, x, y, isDown) => vm.postIOData('mouse', {x, y, canvasWidth: 480, canvasHeight: 360, isDown});

/** @param {any} vm @returns {(() => void)[]} each input once, in the order of the targets and their blocks */
const inputsOf = vm => {
    /** @type {Map<string, (() => void)[]>} */
    const inputs = new Map();
    for (const target of vm.runtime.targets) {
        for (const block of Object.values(target.blocks._blocks)) {
            const make = INPUTS[block.opcode];
            const of = block.opcode === 'event_whenthisspriteclicked' ? target.sprite.name : '';
            if (make) inputs.set(`${block.opcode} ${of} ${JSON.stringify(block.fields)}`.replace(/"id":"[^"]*"/g, ''), make(vm, target, block));
        }
    }
    return [...inputs.values()].flat();
};

/**
 * A script in the place of an evaluation script.
 * @param {any} vm a freshly loaded program
 * @param {(ms: number) => Promise<void>} wait in project time
 */
const driveHats = async (vm, wait) => {
    let answers = 0;
    vm.runtime.on('QUESTION', (/** @type {string | null} */ question) => {
        if (question !== null) wait(GAP_MS).then(() => vm.runtime.emit('ANSWER', ANSWERS[answers++ % ANSWERS.length]));
    });
    mouse(vm, 240, 180, false);
    vm.greenFlag();
    await wait(FLAG_MS);
    for (const input of inputsOf(vm)) {
        input();
        await wait(GAP_MS);
    }
    await wait(FLAG_MS);
};

module.exports = {driveHats, inputsOf};
