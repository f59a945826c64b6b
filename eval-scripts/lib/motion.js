// @ts-check
// How a sprite or a clone moves and looks from tick to tick.

const {Unmet} = require('./expect.js');
const {COVERED, expectSeen, unseen} = require('./seen.js');

/** Pixels, degrees and percent: less than this is rounding, and no difference that a program makes. */
const EXACT = 1e-6;

/**
 * @typedef {import('../types').Target} Target
 * @typedef {{tick: number, x: number, y: number, direction: number, size: number, costume: string | null,
 *            visible: boolean, unseen: string | null, covered: boolean}} Sample after one tick, counted from 0: Scratch units, degrees and
 *     percent; the costume's name; whether it is shown, why a player can't see it, if that is so (`seen.js`), and whether other sprites
 *     hide all of it, as they may do to what passes behind them: it is not `unseen` for that
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box in Scratch units, edges included
 */

/**
 * @param {Target} target
 * @param {number} tick
 * @returns {Sample}
 */
const sampleOf = (target, tick) => {
    const {x, y, direction, size, visible} = target;
    const costume = target.getCostumes()[target.currentCostume]?.name ?? null;
    const why = unseen(target);
    const covered = why === COVERED;
    return {tick, x, y, direction, size, costume, visible, unseen: covered ? null : why, covered};
};

/**
 * @param {number} from degrees
 * @param {number} to degrees
 * @returns {number} the shorter way, -180 to 180; clockwise is positive, and so is half a turn
 */
const turn = (from, to) => {
    const way = (((to - from) % 360) + 360) % 360;
    return way > 180 ? way - 360 : way;
};

/** @param {{x: number, y: number}} a @param {{x: number, y: number}} b @returns {number} Scratch units */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** A series of samples; the first one is from before the first tick that was watched. */
class Track {
    /**
     * @param {Sample[]} samples oldest first, one at least; it may grow
     * @param {string} [name] whose they are, for messages
     */
    constructor(samples, name = 'sprite') {
        this.samples = samples;
        this.name = name;
        /** Whether watching was ended because it is a clone that was deleted. */
        this.isGone = false;
        /** Ends watching; a deleted clone ends it by itself. */
        this.stop = () => {};
    }

    /** @returns {Sample} the newest sample */
    get last() {
        return this.samples[this.samples.length - 1];
    }

    /** @returns {boolean} whether it was ever elsewhere than at the beginning */
    get moved() {
        return this.samples.some(sample => distance(sample, this.samples[0]) > EXACT);
    }

    /** @returns {number} length of the whole way in Scratch units, there and back counting twice */
    get travelled() {
        return this.#steps((a, b) => distance(a, b));
    }

    /** @returns {number} degrees turned in all; clockwise counts positive, the other way negative */
    get turned() {
        return this.#steps((a, b) => turn(a.direction, b.direction));
    }

    /** @returns {number} the longest way within one tick in Scratch units: a glide has short ones, a jump a long one */
    get longestStep() {
        let longest = 0;
        for (let i = 1; i < this.samples.length; i += 1) {
            longest = Math.max(longest, distance(this.samples[i - 1], this.samples[i]));
        }
        return longest;
    }

    /** @returns {(string | null)[]} the costumes that a player saw in turn, each once for as long as it was worn */
    get costumes() {
        const seen = this.samples.filter(sample => sample.unseen === null && !sample.covered);
        return seen.map(sample => sample.costume).filter((name, i, all) => i === 0 || name !== all[i - 1]);
    }

    /**
     * Fails the case when a player could not see it all the time. A clone that was deleted was not seen to the end; other sprites may hide it
     * on its way behind them, but not for most of the time.
     * @param {string} [when] completes the message
     */
    expectSeen(when = '') {
        const gone = this.samples.find(sample => sample.unseen !== null);
        const why = gone ? gone.unseen : this.#unseenInAll;
        if (why !== null) throw new Unmet(`the ${this.name} ${why}${when && `, ${when}`}`);
    }

    /**
     * @param {Partial<Box>} box a side that is left out is no limit
     * @returns {Sample | null} the first sample outside of it
     */
    leaves({left = -Infinity, right = Infinity, top = Infinity, bottom = -Infinity}) {
        const isOut = (/** @type {Sample} */ {x, y}) =>
            x < left - EXACT || x > right + EXACT || y > top + EXACT || y < bottom - EXACT;
        return this.samples.find(isOut) || null;
    }

    /**
     * @param {{x: number, y: number}} point
     * @param {number} [within] how near counts, in Scratch units
     * @returns {Sample | null} the first sample at that point
     */
    reaches(point, within = EXACT) {
        return this.samples.find(sample => distance(sample, point) <= within) || null;
    }

    /** @returns {string | null} why it was not seen that no sample alone can tell, as a phrase; null when it was seen */
    get #unseenInAll() {
        const covered = this.samples.filter(sample => sample.covered).length;
        if (covered > this.samples.length / 2) return `${COVERED} most of the time`;
        return this.isGone ? 'was deleted' : null;
    }

    /** @param {(a: Sample, b: Sample) => number} measure of two samples in a row */
    #steps(measure) {
        let sum = 0;
        for (let i = 1; i < this.samples.length; i += 1) sum += measure(this.samples[i - 1], this.samples[i]);
        return sum;
    }
}

/** The motion of one running program's sprites and clones. */
class Motion {
    /**
     * @param {import('../types').Vm} vm
     * @param {import('./ticks.js').Ticks} ticks of that VM
     */
    constructor(vm, ticks) {
        this.vm = vm;
        this.ticks = ticks;
    }

    /**
     * Takes a sample now and after each tick.
     * @param {Target} target a sprite or a clone
     * @returns {Track}
     */
    watch(target) {
        const track = new Track([sampleOf(target, this.ticks.count - 1)], target.sprite.name);
        track.stop = this.ticks.observe(tick => {
            if (this.vm.runtime.targets.includes(target)) track.samples.push(sampleOf(target, tick));
            else {
                track.isGone = true;
                track.stop();
            }
        });
        return track;
    }

    /**
     * Watches a sprite or a clone for some time.
     * @param {Target} target
     * @param {number} n ticks
     * @returns {Promise<Track>} n + 1 samples, fewer when a clone was deleted meanwhile
     */
    async during(target, n) {
        const track = this.watch(target);
        await this.ticks.pass(n);
        track.stop();
        return track;
    }

    /**
     * Waits until a player sees a sprite or a clone at a point.
     * @param {Target} target
     * @param {{x: number, y: number}} point
     * @param {number} ms how long to wait, in milliseconds of project time
     * @param {number} [within] how near counts, in Scratch units
     * @param {import('./looks.js').Sight} [how]
     * @returns {Promise<void>} fails the case when the time is over
     */
    async reaches(target, point, ms, within = EXACT, {mayHide = false} = {}) {
        const what = `${target.sprite.name} reached (${point.x}, ${point.y})`;
        await this.ticks.until(what, () => distance(target, point) <= within, ms);
        if (!mayHide) expectSeen(target, `where it reached (${point.x}, ${point.y})`);
    }

    /**
     * Watches that a player sees a sprite or a clone stay in a box.
     * @param {Target} target
     * @param {Partial<Box>} box a side that is left out is no limit
     * @param {number} n ticks for which it must stay
     * @param {import('./looks.js').Sight} [how]
     * @returns {Promise<void>} fails the case when it was outside
     */
    async staysWithin(target, box, n, {mayHide = false} = {}) {
        const track = await this.during(target, n);
        if (!mayHide) track.expectSeen('where it should stay');
        if (track.isGone) throw new Unmet(`${target.sprite.name} should stay, but was deleted`);
        const out = track.leaves(box);
        if (!out) return;
        const sides = Object.entries(box).map(([side, value]) => `${side} ${value}`);
        throw new Unmet(`${target.sprite.name} should stay within ${sides.join(', ')}, but was at (${out.x}, ${out.y})`);
    }
}

module.exports = {Motion, Track, turn};
