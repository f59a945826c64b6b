// @ts-check
// Small pictures: drawn small once, so that a hundred of them weigh little.
import {h} from '../dom.js';

/** Width and height in pixels. */
const [WIDTH, HEIGHT] = [320, 180];

/** @returns {HTMLCanvasElement} an empty small picture; what it shows is told by the words beside it */
export const thumbnail = () => h('canvas', {class: 'thumbnail', width: WIDTH, height: HEIGHT, 'aria-hidden': 'true'});

/** @returns {HTMLCanvasElement} the place of a small picture of a stage, which comes later */
export const stage = () => h('canvas', {class: 'thumbnail stage', width: 320, height: 240, 'aria-hidden': 'true', 'data-coming': true});

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Blob} blob
 */
export const draw = async (canvas, blob) => {
    const small = await createImageBitmap(blob, {resizeWidth: canvas.width, resizeHeight: canvas.height, resizeQuality: 'high'});
    canvas.getContext('2d')?.drawImage(small, 0, 0);
    small.close();
};
