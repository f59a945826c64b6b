// @ts-check
// What the action met since `begin-report.js`, and what it changed.

const {replace} = require('../lib/action-watch');
const {programChanges} = require('../lib/program-changes');
const {programNow} = require('../lib/program-look');

/**
 * What of the pointer and the keyboard an action is told.
 * @type {Record<string, (watch: import('../lib/action-watch').ActionWatch) => Record<string, unknown>>}
 */
const TOLD = {
    click: watch => ({hit: watch.hit ?? {type: 'none', text: ''}, focus: watch.focus()}),
    double_click: watch => ({hit: watch.hit ?? {type: 'none', text: ''}, focus: watch.focus()}),
    type: watch => ({typed_into: watch.typed(), focus: watch.focus()}),
    key: watch => ({focus: watch.focus()}),
    hotkey: watch => ({focus: watch.focus()}),
    drag_and_drop: watch => ({drag: watch.dragged()}),
    scroll: watch => ({scrolled: watch.scrolled()})
};

/** @type {import('../../types/page').PageFn<{api: string, numbered: boolean}, Record<string, unknown>>} */
module.exports = (ctx, {api, numbered}) => {
    const watched = replace(null);
    if (!watched) return ctx.fail('not_watched', 'nothing was watched', 'call again');
    const {watch, before} = watched;
    const after = programNow(ctx);
    const opened = after.target === before.target ? undefined : after.targets.find(({id}) => id === after.target);
    return {
        ...(TOLD[api] ? TOLD[api](watch) : {}),
        ...(opened && {opened: opened.name}),
        program_changed: programChanges(before, after, numbered)
    };
};
