// @ts-check
/**
 * Loads a project of any version of Scratch into a VM apart from the editor's, tells what became of it, and gives it as the
 * editor would save it. A call waits for a while only: on a busy machine loading takes longer than a call may.
 */
const {base64Of, bytesOf} = require('../lib/base64-bytes.js');
const {show} = require('../lib/console-record.js');
const {loads} = require('../lib/one-load.js');
const {realTime} = require('../lib/real-time.js');
const {disposeVm, loadSecondVm} = require('../lib/second-vm.js');
const {seededRandom} = require('../lib/seeded-random.js');
const {rendererOf} = require('../lib/stage-renderer.js');

/**
 * @typedef {{number: number, project: string | null, wait_ms: number}} Args `number` is that of the load, and of no other one; `project`
 *     is a file in base64, or `null` to wait for the one that was sent
 * @typedef {{targets: number, broken: string[], json: string, assets: Record<string, string>}} Original `broken` has
 *     costumes in place of which the editor shows a question mark, with their sprites
 * @typedef {{load_ms: number, error: string | null, original: Original | null}} Result
 */

/** @param {any} vm @returns {Original} */
const originalOf = vm => {
    const originals = vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal);
    /** @type {string[]} */
    const broken = [];
    /** @type {Record<string, string>} */
    const assets = {};
    for (const {sprite} of originals) {
        for (const item of [...sprite.costumes_, ...sprite.sounds]) {
            if (item.broken) broken.push(`${sprite.name}: ${item.name}`);
            const {asset} = item.broken || item;
            if (asset?.data) assets[`${asset.assetId}.${asset.dataFormat}`] = base64Of(asset.data);
        }
    }
    return {targets: originals.length, broken, json: vm.toJSON(), assets};
};

/** @param {any} editorVm @param {string} project @returns {Promise<Result>} */
const load = async (editorVm, project) => {
    editorVm.quit();
    // A page that can't draw, or did not get the file whole, says nothing of the project: it throws.
    const renderer = rendererOf(document, editorVm, 'large');
    const bytes = bytesOf(project);
    // Ids that the loader makes are the same each time.
    const ids = seededRandom(1);
    const conditions = {random: ids, ids, time: realTime(globalThis), draw: false};
    const random = Math.random;
    const began = performance.now();
    Math.random = ids;
    try {
        const vm = await loadSecondVm(editorVm, renderer, bytes, conditions, () => {});
        const load_ms = performance.now() - began;
        const original = originalOf(vm);
        disposeVm(vm);
        return {load_ms, error: null, original};
    } catch (error) {
        return {load_ms: performance.now() - began, error: show(error).slice(0, 4000), original: null};
    } finally {
        Math.random = random;
    }
};

/** @type {import('../types/page').PageFn<Args, Result | null>} */
module.exports = async ({vm: editorVm, fail}, {number, project, wait_ms}) => {
    // Who got no answer sends the file once more, and may find it loaded.
    if (!loads.has(number) && project !== null) loads.begin(number, load(editorVm, project));
    if (!loads.has(number)) return fail('not_loading', 'this page has not been given the project');
    return loads.waitFor(wait_ms);
};
