// @ts-check
const {assetsOf, fileName, toBase64} = require('../lib/assets');
const {take} = require('../lib/event-record');
const {revisionOf} = require('../lib/revision');

/** Letters of project.json that are handed over: twice what is read anywhere. */
const MOST = 16 << 20;

/**
 * The project as it is now, unless the caller already has this revision, and what was noted since the last call.
 * @type {import('../../types/page').PageFn<{revision: number | null, known: string[]}, any>}
 */
module.exports = (ctx, {revision, known}) => {
    const current = revisionOf(ctx.vm);
    if (revision === current) return {project: null, record: take()};
    const json = ctx.vm.toJSON();
    if (json.length > MOST) ctx.fail('project_too_large', `project.json has ${json.length} letters, more than ${MOST}`);
    const have = new Set(known);
    /** @type {Record<string, string | null>} */
    const assets = {};
    for (const {item} of assetsOf(ctx.vm)) {
        // A broken costume shows a placeholder; its own data is what the project names.
        const asset = item.broken ? item.broken.asset : item.asset;
        const name = fileName(item.broken ? item.broken : item);
        if (asset && asset.data) assets[name] = have.has(name) ? null : toBase64(asset.data);
    }
    const project = {
        revision: current,
        json,
        editing_target: ctx.vm.editingTarget ? ctx.vm.editingTarget.getName() : 'Stage',
        assets
    };
    return {project, record: take()};
};
