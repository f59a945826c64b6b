// @ts-check
// The green flag and the stop sign, without a click.

/** @type {import('../../types/page').PageFn<{running: boolean}, null>} */
module.exports = ({vm}, {running}) => {
    if (running) vm.greenFlag();
    else vm.stopAll();
    return null;
};
