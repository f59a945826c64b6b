// @ts-check
// What an agent in composite mode sees (paper, appendix F).

const {described, requireEditor, flush} = require('../lib/edit');
const {observationText} = require('../lib/pseudocode');
const {BROADCAST, LIST, SCALAR} = require('../lib/variables');

/** @type {import('../types/page').PageFn<{}, import('../types/composite').CompositeObservation>} */
module.exports = async ctx => {
    requireEditor(ctx);
    // Edits by mouse may still be on their way to the VM.
    await flush();
    const {vm} = ctx;
    const stage = vm.runtime.getTargetForStage();
    const target = vm.editingTarget;
    const view = (/** @type {any} */ {id, isStage, sprite}) => ({id, name: sprite.name, isStage});
    const entries = (/** @type {any} */ owner, /** @type {string} */ type) =>
        Object.values(owner.variables).filter((/** @type {any} */ variable) => variable.type === type);
    const scoped = (/** @type {string} */ type) => [
        ...(target.isStage ? [] : entries(target, type).map(({name}) => ({name, scope: /** @type {const} */ ('sprite')}))),
        ...entries(stage, type).map(({name}) => ({name, scope: /** @type {const} */ ('all')}))
    ].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
    const observation = {
        target: view(target),
        variables: scoped(SCALAR),
        lists: scoped(LIST),
        broadcasts: entries(stage, BROADCAST).map(({name}) => name).sort(),
        targets: vm.runtime.targets.filter((/** @type {any} */ each) => each.isOriginal).map(view),
        ...described(ctx)
    };
    return {...observation, text: observationText(observation)};
};
