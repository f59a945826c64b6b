// @ts-check
// A loop that waits for a touch asks hundreds of times a tick, and comparing pixels is the dearest thing that
// a program can ask for. Nothing has moved in between, so the answer is remembered until something does.

/** Renderer methods by these prefixes alter what is where; all others only read. */
const MUTATOR = /^(create|destroy|update|set|resize|pen|mark|reset|clear|stamp)/;
/** Questions whose answer depends on the drawables alone. */
const QUESTIONS = ['isTouchingColor', 'isTouchingDrawables'];

/**
 * @param {any} object any object with a class
 * @returns {string[]} the names of its methods, inherited ones included
 */
const methodNames = object => {
    /** @type {Set<string>} */
    const names = new Set();
    for (let p = object; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) {
        for (const name of Object.getOwnPropertyNames(p)) {
            if (name !== 'constructor' && typeof object[name] === 'function') names.add(name);
        }
    }
    return [...names];
};

/**
 * Puts a function around a method of one object.
 * @param {any} object
 * @param {string} name
 * @param {(call: () => any, args: any[]) => any} around is given the call, and what it is called with
 */
const wrap = (object, name, around) => {
    const original = object[name];
    if (typeof original !== 'function') throw new Error(`the renderer has no ${name}`);
    object[name] = function (/** @type {any[]} */ ...args) {
        return around(() => original.apply(this, args), args);
    };
};

/**
 * A picture changes without a call to the renderer, too: it arrives after it was made, and its shape becomes finer where a question,
 * a measurement or a drawing needs it larger than before.
 * @param {() => void} forget
 * @returns {(skin: any) => void} has it called when the picture changes
 */
const watchPictures = forget => {
    const watched = new WeakSet();
    return skin => {
        if (!skin || watched.has(skin)) return;
        watched.add(skin);
        // One more than the renderer allows for, which is one for each sprite and clone.
        skin.setMaxListeners(skin.getMaxListeners() + 1);
        skin.on('WasAltered', forget);
        wrap(skin._silhouette, 'update', call => {
            try {
                return call();
            } finally {
                forget();
            }
        });
    };
};

/**
 * A question compares pixels only where boxes around sprites meet; for most of them the boxes alone tell that nothing touches.
 * @param {any} renderer
 * @returns {(ask: () => any) => {answer: any, compared: boolean}} asks, and tells whether pixels were compared
 */
const comparisons = renderer => {
    let [compared, measured] = [false, 0];
    // Of what may be touched, the part within the asking sprite's box.
    wrap(renderer, '_candidatesBounds', call => {
        compared = true;
        return call();
    });
    // The asking sprite's box, which is taken once more for the colour behind everything: all of it is compared then.
    wrap(renderer, '_touchingBounds', call => {
        const bounds = call();
        measured += 1;
        if (measured > 1 && bounds) compared = true;
        return bounds;
    });
    return ask => {
        [compared, measured] = [false, 0];
        return {answer: ask(), compared};
    };
};

/**
 * Wraps one renderer in place.
 * @param {any} renderer a scratch-render RenderWebGL that has no pictures yet
 * @param {() => void} [onCompared] told of each answer for which pixels were compared
 * @returns {() => void} forgets all answers
 */
const rememberTouch = (renderer, onCompared) => {
    /** @type {Map<string, boolean>} */
    const answers = new Map();
    const forget = () => answers.clear();
    const watch = watchPictures(forget);
    for (const name of methodNames(renderer)) {
        if (!MUTATOR.test(name)) continue;
        const [isNew, isOther] = [/^create\w*Skin$/.test(name), /^update\w*Skin$/.test(name)];
        wrap(renderer, name, (call, args) => {
            try {
                const made = call();
                // What makes one gives its id, or a promise of that.
                if (isNew) watch(renderer._allSkins[renderer._nextSkinId - 1]);
                else if (isOther) watch(renderer._allSkins[args[0]]);
                return made;
            } finally {
                // After the change: it may have asked on its way.
                forget();
            }
        });
    }
    const compare = comparisons(renderer);
    for (const name of QUESTIONS) {
        wrap(renderer, name, (call, args) => {
            // Ids are numbers, colours and lists of ids are arrays: all of them read well as text.
            const key = `${name} ${args.map(String).join(' ')}`;
            const known = answers.get(key);
            if (known !== undefined) return known;
            const {answer, compared} = compare(call);
            if (compared) onCompared?.();
            answers.set(key, answer);
            return answer;
        });
    }
    return forget;
};

module.exports = {rememberTouch};
