// @ts-check
// Whether what a suite of a forged fault asserts holds in a run. The same as src/grade/suite.rs, with which it shares its
// cases (test/assertions.json).

/** How far numbers may be apart that count as equal: this, or a millionth of the value. */
const [NEAR, NEAR_PART] = [0.01, 1e-6];
/** The signal of a run that has changes for which its trace had no room: such a run proves nothing. */
const BEYOND = 'program#/beyond';

/**
 * @typedef {{t: number[], v: any[]}} Column ticks of changes, and the values from then on; for an event, when it happened
 * @typedef {{ticks: number, signals: Record<string, Column>}} Run
 * @typedef {{kind: string} & Record<string, any>} Feature a predicate over a run
 */

/** @param {any} value @returns {number | null} the number that it is to Scratch's `=`; white space is none */
const number = value => {
    if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return null;
    const found = Number(value);
    return Number.isNaN(found) ? null : found;
};

/** @param {any} one @param {any} other @returns {boolean} whether they are equal as Scratch's `=` takes it, numbers nearly */
const same = (one, other) => {
    const [a, b] = [number(one), number(other)];
    if (a !== null && b !== null) return a === b || Math.abs(a - b) <= Math.max(NEAR, NEAR_PART * Math.abs(b));
    if (one === null || other === null) return one === other;
    return String(one).toLowerCase() === String(other).toLowerCase();
};

/** @param {any} value @returns {any} what a file of a trace has of it: no number beyond the finite ones */
const written = value => typeof value === 'number' && !Number.isFinite(value) ? null : value;

/** What features ask of a run. */
class Seen {
    /** @param {Run} run @param {number} every ticks between its checkpoints */
    constructor(run, every) {
        this.run = run;
        this.every = every;
    }

    /** @param {string} signal @param {number} ticks @returns {any} the value after so many ticks; undefined before the first */
    after(signal, ticks) {
        const column = this.run.signals[signal];
        const shown = column ? column.t.filter(tick => tick < ticks).length : 0;
        return shown > 0 ? written(column.v[shown - 1]) : undefined;
    }

    /** @param {string} signal @param {any} value @param {number} by @returns {boolean} whether a checkpoint up to then has it */
    shows(signal, value, by) {
        const last = Math.min(this.run.ticks, by);
        const checkpoints = [last];
        for (let ticks = this.every; ticks <= last; ticks += this.every) checkpoints.push(ticks);
        return checkpoints.some(ticks => {
            const shown = this.after(signal, ticks);
            return shown !== undefined && same(shown, value);
        });
    }

    /** @param {number[]} changes ticks @param {number} until @returns {number[]} how many of them have passed at each checkpoint */
    passedUntil(changes, until) {
        let passed = 0;
        return Array.from({length: Math.floor(until / this.every)}, (_, at) => {
            while (passed < changes.length && changes[passed] < (at + 1) * this.every) passed += 1;
            return passed;
        });
    }

    /** @param {string} signal @param {number} until @returns {any[]} its values at the checkpoints, undefined before it begins */
    valuesUntil(signal, until) {
        const {t, v} = this.run.signals[signal] ?? {t: [], v: []};
        return this.passedUntil(t, until).map(passed => passed > 0 ? written(v[passed - 1]) : undefined);
    }

    /** @param {string} signal @param {number} until @returns {any[]} what its checkpoints show in turn */
    shownUntil(signal, until) {
        return this.valuesUntil(signal, until).filter(value => value !== undefined);
    }

    /** @param {string} signal @param {number} until @returns {number[]} its numbers in turn; none where it has other values as well */
    numbersUntil(signal, until) {
        /** @type {number[]} */
        const numbers = [];
        for (const shown of this.shownUntil(signal, until)) {
            const value = number(shown);
            if (value === null) return [];
            numbers.push(value);
        }
        return numbers;
    }

    /** @param {string} signal @param {number} until @returns {any[]} its values at the checkpoints; of an event, how often it has happened */
    course(signal, until) {
        const [, event, name] = /^events\/([^:]*):(.*)$/s.exec(signal) ?? [];
        return event === undefined ? this.valuesUntil(signal, until) : this.passedUntil(this.ticksOf(event, name), until);
    }

    /** @param {string} event @param {any} name @returns {number[]} the ticks at which it happened */
    ticksOf(event, name) {
        const column = this.run.signals[`events/${event}`];
        return column ? column.t.filter((_, at) => same(column.v[at], name)) : [];
    }

    /** @param {string} event @param {any} name @param {number} ticks @returns {number} how often by then */
    count(event, name, ticks) {
        return this.ticksOf(event, name).filter(tick => tick < ticks).length;
    }
}

/**
 * @param {any[]} some
 * @param {any[]} others
 * @param {number | null | undefined} margin by which numbers may be beyond the least and greatest; without one, values must be the same
 * @param {number} reach checkpoints
 * @returns {boolean} whether others show each value so near in time, but for single ones; what would be later is not known at the end
 */
const isWithin = (some, others, margin, reach) => {
    const isShown = (/** @type {any} */ value, /** @type {number} */ at) => {
        if (value === undefined) return true;
        const near = others.slice(Math.max(0, at - reach), at + reach + 1).filter(other => other !== undefined);
        if (near.some(other => same(value, other))) return true;
        const [own, ...numbers] = [value, ...near].map(number);
        const known = numbers.filter(one => one !== null);
        if (margin === undefined || margin === null || own === null || known.length === 0) return false;
        return own >= Math.min(...known) - margin && own <= Math.max(...known) + margin;
    };
    const strange = some.slice(0, Math.max(0, some.length - reach)).map((value, at) => !isShown(value, at));
    return !strange.some((is, at) => is && strange[at + 1]);
};

/** How each kind of feature is looked at. @type {Record<string, (seen: Seen, feature: any) => boolean>} */
const KINDS = {
    equals: (seen, {signal, after, value}) => {
        const shown = seen.after(signal, after);
        return shown !== undefined && same(shown, value);
    },
    event_count: (seen, {event, name, after, n}) => seen.count(event, name, after) === n,
    event: (seen, {event, name, by, n}) => seen.count(event, name, by) >= n,
    reached: (seen, {signal, value, by}) => seen.shows(signal, value, by),
    never: (seen, {signal, value, until}) => !seen.shows(signal, value, until),
    never_event: (seen, {event, name, until}) => seen.count(event, name, until) === 0,
    changed: (seen, {signal, from, to, same: isSame = false}) => {
        const [before, later] = [seen.after(signal, from), seen.after(signal, to)];
        return before !== undefined && later !== undefined && same(before, later) === isSame;
    },
    at_most: (seen, {signal, after, bound}) => {
        const shown = number(seen.after(signal, after));
        return shown !== null && shown <= bound;
    },
    at_least: (seen, {signal, after, bound}) => {
        const shown = number(seen.after(signal, after));
        return shown !== null && shown >= bound;
    },
    before: (seen, {event, first, second}) => {
        const [[one], [other]] = [seen.ticksOf(event, first), seen.ticksOf(event, second)];
        return one !== undefined && other !== undefined && one < other;
    },
    only: (seen, {signal, values, until}) => {
        const shown = seen.shownUntil(signal, until);
        const strange = shown.map(value => !values.some((/** @type {any} */ known) => same(value, known)));
        return shown.length > 0 && !strange.some((is, at) => is && strange[at + 1]);
    },
    spans: (seen, {signal, low, high, margin, until}) => {
        const shown = seen.numbersUntil(signal, until);
        if (shown.length === 0) return false;
        return Math.abs(Math.min(...shown) - low) <= margin && Math.abs(Math.max(...shown) - high) <= margin;
    },
    travels: (seen, {signal, way, margin, until}) => {
        const shown = seen.numbersUntil(signal, until);
        const gone = shown.slice(1).reduce((sum, value, at) => sum + Math.abs(value - shown[at]), 0);
        return shown.length > 0 && Math.abs(gone - way) <= margin;
    },
    follows: (seen, {signal, gold, margin, shift, until}) => {
        const golden = new Seen({ticks: until, signals: {gold}}, seen.every).valuesUntil('gold', until);
        const [shown, reach] = [seen.course(signal, until), Math.floor(shift / seen.every)];
        return isWithin(shown, golden, margin, reach) && isWithin(golden, shown, margin, reach);
    }
};

/**
 * @param {Feature} feature
 * @param {Run} run
 * @param {number} every ticks between the run's checkpoints
 * @returns {boolean}
 */
const holds = (feature, run, every) => {
    const look = KINDS[feature.kind];
    if (!look) throw new Error(`a suite asserts something of the unknown kind ${feature.kind}`);
    // What came after the trace was full is not known.
    if (run.signals[BEYOND]) return false;
    return look(new Seen(run, every), feature);
};

/**
 * @param {Run} run
 * @param {string} signal
 * @param {number} ticks
 * @returns {any} the value after so many ticks; undefined before the first
 */
const valueAfter = (run, signal, ticks) => new Seen(run, 1).after(signal, ticks);

module.exports = {holds, same, valueAfter};
