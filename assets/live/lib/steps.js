// @ts-check
// The calls of an attempt as steps: each action with the looks that came before it.

/** @typedef {import('../types/api').Call} Call */
/** @typedef {import('../types/api').Element} Element */
/**
 * @typedef {object} Step
 * @property {number} number the step's number as recorded
 * @property {Call | null} action what was done; null where the run stopped after a look
 * @property {number | null} picture the call whose picture shows the page before the action
 * @property {boolean} stale whether that picture is from an earlier step
 * @property {Element[]} elements what was listed with that picture
 * @property {string | null} pseudocode the program as the agent saw it last
 * @property {string | null} reasoning what the agent gave as its reasons
 */

/** @param {Call} call */
const isLook = call => ['observe', 'block_catalogue', 'screenshot'].includes(call.call.api);

/** @param {Call} call */
const reasonOf = call => {
    const said = call.reasoning ?? call.call.args?.reasoning ?? call.call.args?.reason;
    return typeof said === 'string' && said ? said : null;
};

/**
 * @param {Call[]} calls in the order in which they were made
 * @returns {Step[]}
 */
export const stepsOf = calls => {
    /** @type {Step[]} */
    const steps = [];
    const seen = {picture: /** @type {number | null} */ (null), elements: /** @type {Element[]} */ ([]), pseudocode: /** @type {string | null} */ (null)};
    let fresh = false;
    /** @param {Call} call @param {Call | null} action */
    const close = (call, action) => {
        const stale = seen.picture !== null && !fresh;
        steps.push({number: call.step, action, ...seen, stale, reasoning: action && reasonOf(action)});
        fresh = false;
    };
    let open = false;
    calls.forEach((call, index) => {
        if (!isLook(call)) {
            close(call, call);
            open = false;
            return;
        }
        open = true;
        const data = call.reply?.data ?? {};
        if (call.picture) {
            seen.picture = index;
            seen.elements = data.elements ?? [];
            fresh = true;
        }
        if (typeof data.pseudocode === 'string') seen.pseudocode = data.pseudocode;
    });
    if (open) close(calls[calls.length - 1], null);
    return steps;
};
