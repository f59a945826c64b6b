// @ts-check
// What a program did, tick by tick: a column of changes for each thing that can be seen or asked.
//
// Ids are made by chance, so targets are known by name, clones by the order of their creation, and
// variables by name. Numbers are rounded to what sines and sums leave uncertain.

/** Version of the format. */
const FORMAT = 1;
/** Parts of a pixel, degree or percent that count. */
const PRECISION = 1e6;
/** Lists longer than this are known by length and digest. */
const SHORT_LIST = 20;

/**
 * @typedef {{t: number[], v: any[]}} Column ticks of the changes, and the values from then on
 * @typedef {{ticks: number, signals: Record<string, Column>}} Run one loaded program
 */

/** @param {any} value */
const rounded = value => (typeof value === 'number' ? Math.round(value * PRECISION) / PRECISION : value);

/**
 * FNV-1a over UTF-16 units, 32 bits: lists are compared, not protected.
 * @param {any[]} items
 * @returns {string} length and digest
 */
const digest = items => {
    let hash = 0x811c9dc5;
    for (const item of items) {
        const text = String(item);
        for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
        hash = Math.imul(hash ^ 0xffff, 0x01000193);
    }
    return `${items.length} items, ${(hash >>> 0).toString(16)}`;
};

/** @param {any} variable */
const valueOf = variable => {
    const {value} = variable;
    if (!Array.isArray(value)) return rounded(value);
    return value.length <= SHORT_LIST ? JSON.stringify(value.map(rounded)) : digest(value);
};

/** What is looked at on each target, by the name of the signal. @type {Record<string, (target: any) => any>} */
const POSE = {
    x: target => rounded(target.x),
    y: target => rounded(target.y),
    direction: target => rounded(target.direction),
    size: target => rounded(target.size),
    rotation_style: target => target.rotationStyle,
    draggable: target => target.draggable,
    visible: target => target.visible,
    layer: target => target.getLayerOrder()
};

/** The same for all, the stage included. @type {Record<string, (target: any) => any>} */
const LOOKS = {
    costume: target => target.getCostumes()[target.currentCostume]?.name ?? null,
    volume: target => rounded(target.volume),
    bubble: target => {
        const bubble = target.getCustomState('Scratch.looks');
        return bubble && bubble.text !== '' ? `${bubble.type}: ${bubble.text}` : null;
    }
};

/** @typedef {{name: string, columns: Record<string, Column>}} Known a target, and its columns as they are found */

/** Records one program. */
class Recorder {
    /** @type {Record<string, Column>} */
    #signals = {};
    /** @type {Known} What belongs to no target. */
    #program = {name: 'program', columns: {}};
    /** @type {Known} How many clones there are, by sprite. */
    #counts = {name: 'clones', columns: {}};
    /** @type {Map<any, Known>} */
    #known = new Map();
    /** @type {Record<string, number>} */
    #clones = {};

    /** Ticks between two looks. */
    #every;

    /**
     * @param {any} vm a freshly loaded program
     * @param {number} [every] with it, the program is looked at after so many ticks and at its end, and clones are counted
     *     where they are followed one by one otherwise
     */
    constructor(vm, every) {
        this.vm = vm;
        this.ticks = 0;
        this.#every = every;
        const {runtime} = vm;
        // The VM calls it once for each message sent, whether or not anybody listens.
        const startHats = runtime.startHats;
        runtime.startHats = (/** @type {any[]} */ ...args) => {
            const [opcode, fields] = args;
            if (opcode === 'event_whenbroadcastreceived' && fields) this.event('broadcast', fields.BROADCAST_OPTION);
            return startHats.apply(runtime, args);
        };
        const name = (/** @type {any} */ target) => this.#find(target).name;
        runtime.on('SAY', (/** @type {any} */ target, /** @type {string} */ type, /** @type {any} */ text) =>
            this.event(type, `${name(target)}: ${text}`));
        runtime.on('QUESTION', (/** @type {string | null} */ question) => this.event('question', question));
        if (every) return;
        runtime.on('targetWasCreated', (/** @type {any} */ target) => this.event('clone', name(target)));
        runtime.on('targetWasRemoved', (/** @type {any} */ target) => this.event('clone', `${name(target)} ends`));
    }

    /**
     * Notes something that happens at one moment.
     * @param {string} kind
     * @param {any} what
     */
    event(kind, what) {
        const column = this.#column(`events/${kind}`);
        column.t.push(this.ticks);
        column.v.push(rounded(what));
    }

    /**
     * @param {any} target who plays
     * @param {string} soundId
     */
    sound(target, soundId) {
        const sound = target.sprite.sounds.find((/** @type {any} */ each) => each.soundId === soundId);
        this.event('sound', `${this.#find(target).name}: ${sound?.name}`);
    }

    /** Looks at the program after a tick, if it is time to. */
    sample() {
        this.ticks += 1;
        if (!this.#every || this.ticks % this.#every === 0) this.#lookAtAll();
    }

    /** Looks at the program once more, unless its last tick was looked at. */
    end() {
        if (this.#every && this.ticks % this.#every !== 0) this.#lookAtAll();
    }

    #lookAtAll() {
        const {runtime} = this.vm;
        const targets = this.#every ? runtime.targets.filter((/** @type {any} */ target) => target.isOriginal) : runtime.targets;
        for (const target of targets) this.#look(target);
        if (this.#every) this.#countClones();
        let threads = 0;
        for (const thread of runtime.threads) if (!thread.updateMonitor) threads += 1;
        this.#note(this.#program, 'threads', '', threads);
    }

    #countClones() {
        /** @type {Record<string, number>} */
        const clones = {};
        for (const target of this.vm.runtime.targets) {
            if (!target.isStage) clones[target.sprite.name] = (clones[target.sprite.name] ?? 0) + (target.isOriginal ? 0 : 1);
        }
        for (const name in clones) this.#note(this.#counts, name, '', clones[name]);
    }

    /** @returns {Run} */
    run() {
        return {ticks: this.ticks, signals: this.#signals};
    }

    /** @param {any} target @returns {Known} by its sprite's name; clones are numbered as they come */
    #find(target) {
        const known = this.#known.get(target);
        if (known) return known;
        const sprite = target.sprite.name;
        if (!target.isOriginal) this.#clones[sprite] = (this.#clones[sprite] || 0) + 1;
        const found = {name: target.isOriginal ? sprite : `${sprite}#${this.#clones[sprite]}`, columns: {}};
        this.#known.set(target, found);
        return found;
    }

    /** @param {any} target */
    #look(target) {
        const known = this.#find(target);
        if (!target.isStage) for (const signal in POSE) this.#note(known, signal, '', POSE[signal](target));
        for (const signal in LOOKS) this.#note(known, signal, '', LOOKS[signal](target));
        for (const effect in target.effects) this.#note(known, effect, 'effect/', rounded(target.effects[effect]));
        for (const id in target.variables) {
            const variable = target.variables[id];
            if (variable.type === 'broadcast_msg') continue;
            const kind = variable.type === 'list' ? 'list/' : 'variable/';
            this.#note(known, variable.name, kind, valueOf(variable));
        }
    }

    /** @param {string} signal */
    #column(signal) {
        return (this.#signals[signal] ??= {t: [], v: []});
    }

    /**
     * @param {Known} known
     * @param {string} signal its short name
     * @param {string} kind completes the name
     * @param {any} value
     */
    #note(known, signal, kind, value) {
        const key = kind === '' ? signal : kind + signal;
        const {t, v} = (known.columns[key] ??= this.#column(`${known.name}/${key}`));
        if (v.length > 0 && Object.is(v[v.length - 1], value)) return;
        // The tick that has just ended.
        t.push(this.ticks - 1);
        v.push(value);
    }
}

/**
 * @param {Recorder[]} recorders one for each program of a judgement, in their order
 * @param {{clock: object, seed: number}} conditions
 * @returns {{format: number, clock: object, seed: number, runs: Run[]}}
 */
const traceOf = (recorders, {clock, seed}) => ({format: FORMAT, clock, seed, runs: recorders.map(each => each.run())});

module.exports = {Recorder, digest, traceOf};
