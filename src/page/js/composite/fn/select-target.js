// @ts-check
// Opens a sprite, or the Stage, in the editor. Indexes then refer to its blocks.

const {flush, requireEditor, snapshot} = require('../../shared/lib/edit');
const {listed, nearest} = require('../../shared/lib/nearest');

/** @type {import('../../types/page').PageFn<{name?: string}, import('../../types/composite').Edited>} without `name` it is the Stage */
module.exports = async (ctx, {name}) => {
    requireEditor(ctx);
    const {vm} = ctx;
    const sprites = vm.runtime.targets.filter((/** @type {any} */ target) => target.isOriginal && !target.isStage);
    const named = (/** @type {(text: string) => string} */ fold) =>
        sprites.find((/** @type {any} */ target) => fold(target.sprite.name) === fold(name || ''));
    const found = name === undefined ? vm.runtime.getTargetForStage() :
        named(text => text) || named(text => text.trim().toLowerCase());
    if (!found) {
        const names = sprites.map((/** @type {any} */ target) => target.sprite.name);
        const near = nearest(name || '', names);
        ctx.fail('unknown_sprite', `there is no sprite ${JSON.stringify(name)}; there are: ${listed(names)}`,
            /^stage$/i.test((name || '').trim()) ? 'use select_stage' : near ? `did you mean ${JSON.stringify(near)}?` : undefined);
    }
    // Events still on their way belong to the target that is open now.
    await flush();
    vm.setEditingTarget(found.id);
    await flush();
    return {data: {selected: found.sprite.name, targetId: found.id}, ...snapshot(ctx)};
};
