// @ts-check
// What a drag can change, as it is now.

const {sceneState} = require('../lib/scene-state');

/** @type {import('../../types/page').PageFn<null, import('../lib/scene-state').SceneState>} */
module.exports = ctx => sceneState(ctx);
