// @ts-check
// The editor shows a new costume in the corner of the canvas and in the sprite pane only if its last change is half a
// second old; a change that comes sooner is not shown later either, but never (throttled-property-hoc.jsx). What a picture
// shows would depend on the speed of the machine, so what was held back is shown when the editor has come to rest.

const {componentsAround} = require('./fibers');

/**
 * @param {any} component
 * @returns {boolean} whether it has got something that it did not draw
 */
const holdsBack = component =>
    '_lastRenderedValue' in component && !Object.values(component.props).includes(component._lastRenderedValue);

/**
 * Has pictures drawn that were held back.
 * @param {Iterable<Element>} images
 * @returns {boolean} whether there were any
 */
const showHeldBack = images => {
    let any = false;
    for (const image of images) {
        for (const component of componentsAround(image)) {
            if (!holdsBack(component)) continue;
            component.forceUpdate();
            any = true;
        }
    }
    return any;
};

module.exports = {showHeldBack};
