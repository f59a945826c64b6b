// @ts-check
// Scenarios: fixed inputs at fixed ticks, played to a freshly loaded program whatever it does with them. What should come
// of it is not known here.

const {Unmet} = require('./expect.js');
const {Player} = require('./player.js');
const {clickPoint} = require('./pointer.js');
const {Cancelled} = require('./ticks.js');

/** Ticks from a question to its answer. */
const ANSWER_AFTER = 15;
/** Hats whose condition the VM looks at by itself: with one of them a program may go on without any input. */
const WATCHING = ['event_whengreaterthan', 'event_whentouchingobject'];

/**
 * @typedef {{at: number, do: string} & Record<string, any>} Step before which tick an input comes, and which
 * @typedef {{id: string, template: string, length: number, answers: string[], steps: Step[]}} Scenario
 * @typedef {{misses: string[], rest: boolean}} Played what could not be done, in words, and whether the run ended because
 *     nothing could happen any more
 */

/** @param {Player} player @param {string} name @returns {import('../types').Target | undefined} itself or the first clone that can be clicked */
const shown = ({vm}, name) =>
    vm.runtime.targets.find(target => !target.isStage && target.sprite.name === name && target.visible && clickPoint(vm, target));

/** @param {Player} player @param {string} name */
const mustShow = (player, name) => {
    const target = shown(player, name);
    if (!target) throw new Unmet(`${name} shows nowhere`);
    return target;
};

/** How each step is made. @type {Record<string, (player: Player, step: Step) => Promise<void> | void>} */
const ACTS = {
    flag: ({vm}) => vm.greenFlag(),
    stop: ({vm}) => vm.stopAll(),
    key: ({keys}, {key, ticks}) => keys.hold(key, ticks),
    mouse: ({mouse}, {x, y}) => mouse.moveTo(x, y),
    button: ({mouse}, {down}) => (down ? mouse.press() : mouse.release()),
    click: (player, {sprite}) => player.click(mustShow(player, sprite)),
    click_stage: ({mouse}) => mouse.clickStage(),
    drag: (player, {sprite, to: [x, y]}) => player.drag(mustShow(player, sprite), {x, y}, {as: 'player'}),
    message: ({vm}, {message}) => {
        vm.runtime.startHats('event_whenbroadcastreceived', {BROADCAST_OPTION: message});
    },
    backdrop: ({vm}, {backdrop}) => {
        vm.runtime.startHats('event_whenbackdropswitchesto', {BACKDROP: backdrop});
    }
};

/** @param {import('../types').Vm} vm @returns {boolean} whether something may start by itself */
const watches = vm => vm.runtime.targets.some(({blocks}) => Object.values(blocks._blocks).some(block => WATCHING.includes(block.opcode)));

/**
 * Answers questions in turn.
 * @param {Player} player
 * @param {string[]} answers
 * @returns {{isDue: () => boolean}} whether an answer is on its way
 */
const answering = ({vm, ticks, speech}, answers) => {
    let given = 0;
    let due = Infinity;
    ticks.observe(tick => {
        if (answers.length === 0 || !speech.waiting) due = Infinity;
        else if (due === Infinity) due = tick + ANSWER_AFTER;
        else if (tick >= due) {
            due = Infinity;
            speech.waiting = false;
            vm.runtime.emit('ANSWER', answers[given++ % answers.length]);
        }
    });
    return {isDue: () => due !== Infinity};
};

/**
 * Plays a scenario to its end: its length, or earlier, when nothing can happen any more.
 * @param {import('../types').Vm} vm a freshly loaded program whose flag was not clicked
 * @param {Scenario} scenario
 * @param {number} every ticks between two looks at the program; it ends with a look
 * @returns {Promise<Played>}
 */
const playScenario = async (vm, scenario, every) => {
    const player = new Player(vm);
    const {ticks} = player;
    /** @type {string[]} */
    const misses = [];
    const steps = [...scenario.steps].sort((a, b) => a.at - b.at);
    let busy = 0;
    const act = (/** @type {Step} */ step) => {
        busy += 1;
        const missed = (/** @type {any} */ error) => {
            if (error instanceof Unmet) misses.push(`${step.do} at ${step.at}: ${error.message}`);
            // The run may end in the middle of a step.
            else if (!(error instanceof Cancelled)) throw error;
        };
        // A step without a pause is made at once, and one that lasts goes on while later ones come.
        const made = new Promise(resolve => resolve(ACTS[step.do](player, step)));
        return made.catch(missed).then(() => (busy -= 1));
    };
    const answers = answering(player, scenario.answers);
    const isWatching = watches(vm);
    /** @type {Promise<any>[]} */
    const made = [];
    const next = () => {
        while (steps.length > 0 && steps[0].at <= ticks.count) made.push(act(/** @type {Step} */ (steps.shift())));
    };
    const rests = () => steps.length === 0 && busy === 0 && !answers.isDue() && !isWatching && !ticks.busy;
    const isOver = () => {
        next();
        return ticks.count >= scenario.length || (ticks.count > 0 && ticks.count % every === 0 && rests());
    };
    try {
        await ticks.wait(isOver, null, 0);
    } finally {
        player.leave();
    }
    const rest = ticks.count < scenario.length;
    await Promise.all(made);
    return {misses, rest};
};

module.exports = {playScenario};
