// @ts-check
// A VM without Scratch: it ticks when told to, and records what is posted to it.

/**
 * @param {any} target what matters of it
 * @returns {any} a Target
 */
const fakeTarget = target => ({
    isOriginal: true,
    isStage: false,
    visible: true,
    dragging: false,
    draggable: false,
    direction: 90,
    size: 100,
    currentCostume: 0,
    variables: {},
    getCostumes: () => [{name: 'plain'}, {name: 'striped'}],
    getCustomState: () => undefined,
    effects: {},
    /** 20 by 20 around its place. */
    getBounds() {
        const {x = 0, y = 0} = this;
        return {left: x - 10, right: x + 10, top: y + 10, bottom: y - 10};
    },
    getLayerOrder() {
        return this.layer;
    },
    goToFront() {},
    ...target
});

/**
 * @param {any[]} targets what the program consists of, defaults filled in
 * @returns {any} a Vm with `posted` and `during()`
 */
const fakeVm = (targets = []) => {
    /** @type {Map<string, ((...args: any[]) => void)[]>} */
    const listeners = new Map();
    /** @type {any[]} */
    const posted = [];
    const runtime = {
        targets: targets.map(target => fakeTarget(target)),
        threads: [],
        renderer: {
            canvas: {clientWidth: 480, clientHeight: 360},
            getBounds: () => ({left: -10, right: 10, top: 10, bottom: -10}),
            pick: () => 7,
            /** @type {string[]} Pen functions that were called. */
            drawn: [],
            penLine: () => runtime.renderer.drawn.push('penLine'),
            penPoint: () => runtime.renderer.drawn.push('penPoint'),
            penClear: () => runtime.renderer.drawn.push('penClear')
        },
        _step() {},
        /** @type {any[]} Hats that were started, with their fields as the VM leaves them. */
        hats: [],
        startHats(/** @type {string} */ opcode, /** @type {any} */ fields) {
            for (const field in fields) fields[field] = fields[field].toUpperCase();
            runtime.hats.push([opcode, fields]);
            return [];
        },
        on: (/** @type {string} */ event, /** @type {any} */ listener) => {
            listeners.set(event, [...(listeners.get(event) || []), listener]);
        },
        off() {},
        emit: (/** @type {string} */ event, /** @type {any[]} */ ...args) => {
            for (const listener of listeners.get(event) || []) listener(...args);
        }
    };
    return {
        runtime,
        posted,
        greenFlag() {},
        stops: 0,
        stopAll() {
            this.stops += 1;
        },
        startDrag: (/** @type {string} */ id) => posted.push({device: 'startDrag', id}),
        postSpriteInfo: (/** @type {object} */ data) => posted.push({device: 'sprite', ...data}),
        stopDrag: (/** @type {string} */ id) => posted.push({device: 'stopDrag', id}),
        postIOData: (/** @type {string} */ device, /** @type {object} */ data) => posted.push({device, ...data}),
        /**
         * Ticks for as long as some work goes on.
         * @param {Promise<any>} work
         */
        async during(work) {
            let over = false;
            const done = work.finally(() => {
                over = true;
            });
            done.catch(() => {});
            while (!over) {
                runtime._step();
                await new Promise(resolve => setTimeout(resolve, 0));
            }
            return done;
        }
    };
};

/**
 * A sprite that speaks as the VM makes it: the bubble is kept, and told of.
 * @param {any} vm
 * @param {string} name
 * @param {object} [how] of the sprite
 * @returns {(text: any, type?: 'say' | 'think') => void} speaks; an empty text takes the bubble away
 */
const fakeSpeaker = (vm, name, how = {}) => {
    const bubble = {type: 'say', text: '', usageId: 0};
    const target = fakeTarget({sprite: {name}, getCustomState: () => bubble, ...how});
    return (/** @type {any} */ text, type = 'say') => {
        Object.assign(bubble, {type, text, usageId: bubble.usageId + 1});
        vm.runtime.emit('SAY', target, type, text);
    };
};

module.exports = {fakeTarget, fakeVm, fakeSpeaker};
