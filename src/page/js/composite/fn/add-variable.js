// @ts-check
// Makes a variable or a list, for the editing target or for all targets.

const {flush, requireEditor, snapshot} = require('../../shared/lib/edit');
const {untypable} = require('../../shared/lib/typed-value');
const {KIND_NAMES, LIST, SCALAR, create} = require('../../shared/lib/variables');

/** @typedef {{kind: 'variable' | 'list', name: string, scope: 'sprite' | 'all'}} Args */

/** @type {import('../../types/page').PageFn<Args, import('../../types/composite').Edited>} */
module.exports = async (ctx, {kind, name: written, scope}) => {
    requireEditor(ctx);
    const {SB, vm} = ctx;
    const type = kind === 'list' ? LIST : SCALAR;
    const name = written.trim();
    if (!name) ctx.fail('invalid_name', `a ${kind} needs a name`);
    const flaw = untypable(name);
    if (flaw) ctx.fail('invalid_name', `the name of a ${kind} ${flaw}`, 'give a short name of one line');
    const target = vm.editingTarget;
    const isLocal = scope === 'sprite';
    if (isLocal && target.isStage) {
        ctx.fail('scope_unavailable', `what the Stage has is for all sprites: it can't have a ${kind} of its own`, 'use scope "all"');
    }
    const owners = vm.runtime.targets.filter((/** @type {any} */ each) => each.isOriginal &&
        each.lookupVariableByNameAndType(name, type, true));
    const owner = isLocal ? target : vm.runtime.getTargetForStage();
    // A name may not stand for two things in one scope: the editor's own dialog refuses it too.
    const clash = owners.find((/** @type {any} */ each) => each !== owner && (!isLocal || each.isStage));
    if (clash) {
        ctx.fail('name_taken', `${clash.sprite.name} already has a ${KIND_NAMES[type]} ${JSON.stringify(name)} ` +
            `(${clash.isStage ? 'for all sprites' : 'for that sprite only'})`, 'use it, or choose another name');
    }
    const had = owners.includes(owner) ? owner.lookupVariableByNameAndType(name, type, true) : null;
    if (!had) {
        const outer = SB.Events.getGroup();
        SB.Events.setGroup(true);
        create(ctx, name, type, isLocal);
        SB.Events.setGroup(outer);
    }
    await flush();
    const made = owner.lookupVariableByNameAndType(name, type, true);
    if (!made) ctx.fail('out_of_step', `the ${kind} ${JSON.stringify(name)} did not reach the program`);
    return {data: {created: {name, id: made.id, scope, created: !had}}, ...snapshot(ctx)};
};
