// @ts-check
// What a program did, tick by tick: a column of changes for each thing that can be seen or asked.
//
// Ids are made by chance, so targets are known by name, clones by the order of their creation, and
// variables by name. Numbers are rounded to what sines and sums leave uncertain.

const {LONG, OTHER_BASIS, bounded, digits, mix} = require('./bounded-text.js');

/** Version of the format. */
const FORMAT = 1;
/** Parts of a pixel, degree or percent that count. */
const PRECISION = 1e6;
/** Lists longer than this are known by length and digest. */
const SHORT_LIST = 20;
/**
 * What the trace of a judgement holds at most, in characters of its JSON, and what a change takes of it besides its text. A letter may take six.
 * The engine lets no string be longer than 2^29, and a trace is told in one message.
 */
const [ROOM, CHANGE, LETTER] = [2 ** 25, 32, 6];
/** What is known of changes for which there was no room. Named like a clone's, so that nothing is asserted about it. */
const BEYOND = 'program#/beyond';

/**
 * @typedef {{t: number[], v: any[]}} Column ticks of the changes, and the values from then on
 * @typedef {{ticks: number, signals: Record<string, Column>}} Run one loaded program
 */

/** @param {any} value @returns {any} as it is recorded */
const rounded = value => {
    if (typeof value === 'string') return bounded(value);
    return typeof value === 'number' ? Math.round(value * PRECISION) / PRECISION : value;
};

/**
 * Each item ends with its length and a unit of its own, so that they can't run into each other.
 * @param {any[]} items
 * @returns {string} length and digest
 */
const digest = items => {
    let hash = mix('');
    for (const item of items) hash = mix(`${String(item).length}\uffff`, mix(String(item), hash));
    return `${items.length} items, ${digits(hash)}`;
};

/** @param {any} variable */
const valueOf = variable => {
    const {value} = variable;
    if (!Array.isArray(value)) return rounded(value);
    return value.length <= SHORT_LIST ? bounded(JSON.stringify(value.map(rounded))) : digest(value);
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

/**
 * @typedef {{name: string, columns: Record<string, Column>}} Known a target, and its columns as they are found
 * @typedef {{left: number}} Room what is left of the room for a judgement's trace, in characters
 */

/** Records one program. */
class Recorder {
    /** @type {Record<string, Column>} */
    #signals = Object.create(null);
    /** @type {Known} What belongs to no target. */
    #program = {name: 'program', columns: Object.create(null)};
    /** @type {Known} How many clones there are, by sprite. */
    #counts = {name: 'clones', columns: Object.create(null)};
    /** @type {Map<any, Known>} */
    #known = new Map();
    /** @type {Record<string, number>} */
    #clones = Object.create(null);

    /** Long names, by which columns and costumes are known, shortened once. @type {Map<string, string>} */
    #names = new Map();
    /** Long values of variables as they were last shortened. @type {WeakMap<object, {text: string, short: string}>} */
    #texts = new WeakMap();
    /** What is kept of a program that has ended, once others need the room. @type {Run | null} */
    #folded = null;
    /** Changes that there was no room for. @type {{since: number, count: number, hash: number} | null} */
    #beyond = null;

    /** Ticks between two looks. */
    #every;

    /**
     * @param {any} vm a freshly loaded program
     * @param {number} [every] with it, the program is looked at after so many ticks and at its end, and clones are counted
     *     where they are followed one by one otherwise
     * @param {Room} [room] shared by all recorders of a judgement
     */
    constructor(vm, every, room = {left: ROOM}) {
        this.vm = vm;
        this.ticks = 0;
        this.#every = every;
        this.room = room;
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
            this.event(type, `${name(target)}: ${bounded(String(text))}`));
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
        const [signal, value] = [`events/${kind}`, rounded(what)];
        if (!this.#takesRoom(signal, value)) return;
        const column = this.#column(signal);
        column.t.push(this.ticks);
        column.v.push(value);
    }

    /**
     * @param {any} target who plays
     * @param {string} soundId
     */
    sound(target, soundId) {
        const sound = target.sprite.sounds.find((/** @type {any} */ each) => each.soundId === soundId);
        this.event('sound', `${this.#find(target).name}: ${this.#name(String(sound?.name))}`);
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
        const clones = Object.create(null);
        for (const target of this.vm.runtime.targets) {
            if (!target.isStage) clones[target.sprite.name] = (clones[target.sprite.name] ?? 0) + (target.isOriginal ? 0 : 1);
        }
        for (const name in clones) this.#note(this.#counts, this.#name(name), '', clones[name]);
    }

    /** Keeps no more than a digest of what was recorded. The program must have ended. */
    fold() {
        if (this.#folded) return;
        const text = JSON.stringify(this.run());
        const kept = `${text.length} characters, ${digits(mix(text))}${digits(mix(text, OTHER_BASIS))}`;
        this.#folded = {ticks: this.ticks, signals: {[BEYOND]: {t: [0], v: [kept]}}};
        this.#signals = Object.create(null);
        this.#known.clear();
    }

    /** @returns {Run} */
    run() {
        if (this.#folded) return this.#folded;
        if (!this.#beyond) return {ticks: this.ticks, signals: {...this.#signals}};
        const {since, count, hash} = this.#beyond;
        const beyond = {t: [since], v: [`${count} changes, ${digits(hash)}`]};
        return {ticks: this.ticks, signals: {...this.#signals, [BEYOND]: beyond}};
    }

    /** @param {any} target @returns {Known} by its sprite's name; clones are numbered as they come */
    #find(target) {
        const known = this.#known.get(target);
        if (known) return known;
        const sprite = this.#name(target.sprite.name);
        if (!target.isOriginal) this.#clones[sprite] = (this.#clones[sprite] || 0) + 1;
        const found = {name: target.isOriginal ? sprite : `${sprite}#${this.#clones[sprite]}`, columns: Object.create(null)};
        this.#known.set(target, found);
        return found;
    }

    /** @param {any} target */
    #look(target) {
        const known = this.#find(target);
        if (!target.isStage) for (const signal in POSE) this.#note(known, signal, '', POSE[signal](target));
        for (const signal in LOOKS) this.#note(known, signal, '', this.#name(LOOKS[signal](target)));
        for (const effect in target.effects) this.#note(known, effect, 'effect/', rounded(target.effects[effect]));
        for (const id in target.variables) {
            const variable = target.variables[id];
            if (variable.type === 'broadcast_msg') continue;
            const kind = variable.type === 'list' ? 'list/' : 'variable/';
            this.#note(known, this.#name(variable.name), kind, this.#valueOf(variable));
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
        const column = known.columns[key] ?? this.#signals[`${known.name}/${key}`];
        if (column && Object.is(column.v[column.v.length - 1], value)) return;
        const name = `${known.name}/${key}`;
        if (!this.#takesRoom(name, value)) return;
        const {t, v} = (known.columns[key] = this.#column(name));
        // The tick that has just ended.
        t.push(this.ticks - 1);
        v.push(value);
    }

    /**
     * @param {string} signal whose value changes
     * @param {any} value
     * @returns {boolean} whether there was room for the change; one for which there was none is counted and digested
     */
    #takesRoom(signal, value) {
        const letters = (typeof value === 'string' ? value.length : 0) + (this.#signals[signal] ? 0 : signal.length);
        const cost = CHANGE + LETTER * letters;
        // What came later than a change without room must not look as if it came without it.
        if (!this.#beyond && cost <= this.room.left) {
            this.room.left -= cost;
            return true;
        }
        this.#beyond ??= {since: this.ticks, count: 0, hash: mix('')};
        this.#beyond.count += 1;
        this.#beyond.hash = mix(`${signal} ${this.ticks} ${value} `, this.#beyond.hash);
        return false;
    }

    /** @param {any} name text, or what is not there @returns {any} as it is recorded */
    #name(name) {
        if (typeof name !== 'string' || name.length <= LONG) return name;
        const known = this.#names.get(name) ?? bounded(name);
        this.#names.set(name, known);
        return known;
    }

    /** @param {any} variable @returns {any} its value as it is recorded */
    #valueOf(variable) {
        const text = variable.value;
        if (typeof text !== 'string' || text.length <= LONG) return valueOf(variable);
        const last = this.#texts.get(variable);
        if (last && last.text === text) return last.short;
        const short = bounded(text);
        this.#texts.set(variable, {text, short});
        return short;
    }
}

/**
 * @param {Recorder[]} recorders one for each program of a judgement, in their order
 * @param {{clock: object, seed: number}} conditions
 * @returns {{format: number, clock: object, seed: number, runs: Run[]}}
 */
const traceOf = (recorders, {clock, seed}) => ({format: FORMAT, clock, seed, runs: recorders.map(each => each.run())});

module.exports = {ROOM, Recorder, digest, traceOf};
