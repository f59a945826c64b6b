// @ts-check
// What an agent in composite mode sees (paper, appendix F).

const {described, requireEditor, flush} = require('../../shared/lib/edit');
const {observationText} = require('../../shared/lib/pseudocode');
const {BROADCAST, LIST, SCALAR, forms} = require('../../shared/lib/variables');

/** Characters of a variable's value that are shown. */
const LONGEST_VALUE = 60;

/** A definition's wording, which is one block with it to agents. */
const PROTOTYPE = 'procedures_prototype';

/**
 * @param {any} target a sprite or the Stage
 * @returns {number} its blocks as they are numbered: slots' default blocks, prototypes and what is in those don't count
 */
const countBlocks = ({blocks: {_blocks: blocks}}) => Object.values(blocks).filter(({shadow, opcode, parent}) =>
    !shadow && opcode !== PROTOTYPE && blocks[parent]?.opcode !== PROTOTYPE).length;

/**
 * @param {unknown} value what a variable holds
 * @returns {string} the beginning of it
 */
const shortened = value => {
    const letters = [...String(value).slice(0, 2 * LONGEST_VALUE + 2)];
    return letters.length > LONGEST_VALUE ? `${letters.slice(0, LONGEST_VALUE).join('')}…` : letters.join('');
};

/** @type {import('../../types/page').PageFn<{}, import('../../types/composite').CompositeObservation>} */
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
    const isShown = (/** @type {string} */ id) => {
        const monitor = vm.runtime.getMonitorState().get(id);
        return Boolean(monitor && monitor.get('visible'));
    };
    const called = (/** @type {string} */ type, /** @type {string} */ id, /** @type {boolean} */ own) =>
        [...forms(ctx, type)].find(([, one]) => one.id === id && one.own === own)?.[0];
    /** @type {(scope: 'sprite' | 'all') => (variable: any) => import('../../types/composite').Scoped} */
    const seen = scope => ({id, name, type, value}) => ({
        name: called(type, id, scope === 'sprite' || target.isStage) ?? name, scope, ...(type === LIST ? {items: value.length} : {value: shortened(value)}), shown: isShown(id)
    });
    const scoped = (/** @type {string} */ type) => [
        ...(target.isStage ? [] : entries(target, type).map(seen('sprite'))),
        ...entries(stage, type).map(seen('all'))
    ].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
    const observation = {
        target: view(target),
        variables: scoped(SCALAR),
        lists: scoped(LIST),
        broadcasts: entries(stage, BROADCAST).map(({name}) => name).sort(),
        targets: vm.runtime.targets.filter((/** @type {any} */ each) => each.isOriginal)
            .map((/** @type {any} */ each) => ({...view(each), blocks: countBlocks(each)})),
        costumes: target.getCostumes().map((/** @type {any} */ {name}) => name),
        costume: target.getCostumes()[target.currentCostume].name,
        sounds: target.getSounds().map((/** @type {any} */ {name}) => name),
        ...described(ctx)
    };
    return {...observation, text: observationText(observation)};
};
