// @ts-check
/**
 * What was altered in the page since this was first asked, by name: the next judgement must not meet it.
 */
const {alterations} = require('../lib/page-integrity.js');

/** @type {import('../../types/page').PageFn<null, string[]>} */
module.exports = ({vm}) => alterations(globalThis, vm);
