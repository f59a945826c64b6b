// @ts-check
// Makes the stage large or small through the editor's own state: no input event comes about, so that nothing in a
// session's log looks like a person's click.

const {flush} = require('../../shared/lib/frames');

/** @type {import('../../types/page').PageFn<{size: 'large' | 'small'}, null>} */
module.exports = async ({state}, {size}) => {
    state.store.dispatch({type: 'scratch-gui/StageSize/SET_STAGE_SIZE', stageSize: size});
    // The canvas of blocks takes the room that is left one frame later.
    await flush();
    await flush();
    return null;
};
