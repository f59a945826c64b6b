// @ts-check
// The editor loads a default project of its own when it mounts, and another only then: two loads, and the palette and the stage
// are drawn for each. A driver mostly has another, so that its pages wait for the project that they are to begin with.

/**
 * Holds the editor's own first load until `vm.loadProject` is called once more, with the project to begin with in place of the
 * default one; `null` stands for that. The two are one load: both callers learn what came of it.
 * @param {any} vm the editor's virtual machine, before the editor has loaded anything
 * @param {() => void} whenBegun called when that load is over
 * @returns {() => boolean} whether the editor waits for its first project right now
 */
export const holdFirstProject = (vm, whenBegun) => {
    const {loadProject} = vm;
    let isHeld = false;
    vm.loadProject = (/** @type {any} */ standard) =>
        new Promise((resolve, reject) => {
            isHeld = true;
            vm.loadProject = (/** @type {any} */ project) => {
                isHeld = false;
                vm.loadProject = loadProject;
                const loaded = vm.loadProject(project ?? standard);
                loaded.finally(whenBegun).then(resolve, reject);
                return loaded;
            };
        });
    return () => isHeld;
};

/** What lies over the editor and over parts of it while a project is being loaded, and moves for as long as it does. */
const LOADING_SCREEN = '[class*="loader_background"]';

/**
 * The same for a page with the editor whose address says that it is driven. One with the player alone is no place to begin in:
 * it judges one project after another.
 * @param {any} vm the editor's virtual machine, before the editor has loaded anything
 * @returns {() => boolean} whether the editor waits for its first project right now
 */
export const holdFirstProjectIfDriven = vm => {
    const asked = new URLSearchParams(location.search);
    if (!asked.has('driven') || asked.has('player')) return () => false;
    // Nobody sees the page yet, which may wait for long.
    const unseen = document.createElement('style');
    unseen.textContent = `${LOADING_SCREEN} {display: none}`;
    document.head.append(unseen);
    return holdFirstProject(vm, () => unseen.remove());
};
