// @ts-check
// Notes the program as it is, and watches what the next action meets. `end-report.js` tells.

const {ActionWatch, replace} = require('../lib/action-watch');
const {flush} = require('../../shared/lib/frames');
const {programNow} = require('../lib/program-look');

/** @type {import('../../types/page').PageFn<null, null>} */
module.exports = async ctx => {
    // Edits by mouse may still be on their way to the VM.
    await flush();
    const before = programNow(ctx);
    replace({watch: new ActionWatch(ctx, window), before});
    return null;
};
