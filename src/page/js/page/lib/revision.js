// @ts-check
// Counts the changes of the project in this page, so that an unchanged project is never serialised again.

/** @type {WeakMap<object, {count: number}>} One counter a VM. */
const counters = new WeakMap();

/**
 * The number of changes seen so far; the first call starts the counting.
 * @param {{on(event: string, listener: () => void): void}} vm the editor's virtual machine
 * @returns {number} 0 at first
 */
const revisionOf = vm => {
    let counter = counters.get(vm);
    if (!counter) {
        const fresh = {count: 0};
        counter = fresh;
        counters.set(vm, fresh);
        const change = () => {
            fresh.count += 1;
        };
        vm.on('PROJECT_CHANGED', change);
        vm.on('targetsUpdate', change);
    }
    return counter.count;
};

module.exports = {revisionOf};
