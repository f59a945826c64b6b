// @ts-check
// The way from an element to the React components that drew it. React keeps it to itself, under a name that it makes up
// anew each time (pinned editor version, checked by `scratchbed doctor`).

const {seams} = require('../../shared/lib/editor-seams');

/**
 * @param {any} element an element of the editor; one that React did not make stands for its nearest ancestor that it did
 * @returns {Generator<any>} instances of the components around it, the innermost first
 */
const componentsAround = function* (element) {
    const {fiberKey} = seams();
    let node = element;
    let key;
    while (node && !(key = Object.keys(node).find(name => name.startsWith(fiberKey)))) node = node.parentElement;
    for (let fiber = node && key && node[key]; fiber; fiber = fiber.return) {
        const instance = fiber.stateNode;
        if (instance && instance !== node && !instance.nodeType) yield instance;
    }
};

module.exports = {componentsAround};
