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
 * Wraps one renderer in place.
 * @param {any} renderer a scratch-render RenderWebGL
 * @param {() => void} [onComputed] told of each answer that is not remembered
 * @returns {() => void} forgets all answers; for what changes without a call to the renderer
 */
const rememberTouch = (renderer, onComputed) => {
    /** @type {Map<string, boolean>} */
    const answers = new Map();
    const forget = () => answers.clear();
    for (const name of methodNames(renderer)) {
        if (!MUTATOR.test(name)) continue;
        const original = renderer[name];
        renderer[name] = function (/** @type {any[]} */ ...args) {
            try {
                return original.apply(this, args);
            } finally {
                // After the change: it may have asked on its way.
                forget();
            }
        };
    }
    for (const name of QUESTIONS) {
        const original = renderer[name];
        renderer[name] = function (/** @type {any[]} */ ...args) {
            // Ids are numbers, colours and lists of ids are arrays: all of them read well as text.
            const key = `${name} ${args.map(String).join(' ')}`;
            const known = answers.get(key);
            if (known !== undefined) return known;
            onComputed?.();
            const answer = original.apply(this, args);
            answers.set(key, answer);
            return answer;
        };
    }
    return forget;
};

module.exports = {rememberTouch};
