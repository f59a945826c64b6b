// @ts-check
// Where the stage is on the page, without its border.

const {toPixels} = require('../lib/boxes');

/** @type {import('../../types/page').PageFn<null, {x: number, y: number, width: number, height: number}>} */
module.exports = ({fail}) => {
    const canvas = document.querySelector('[class*="stage_stage-wrapper_"] canvas');
    const box = canvas && canvas.getBoundingClientRect();
    if (!box || box.width < 1 || box.height < 1) return fail('stage_not_shown', 'the editor shows no stage', 'leave full screen, or reset the session');
    return toPixels(box);
};
