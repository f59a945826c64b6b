// @ts-check
// The calls of an attempt as steps: each action with the looks that came before it.

/** @typedef {import('../types/api').Call} Call */
/** @typedef {import('../types/api').Element} Element */
/**
 * @typedef {object} Step
 * @property {number} number the step's number as recorded
 * @property {boolean} ends whether the agent ended the attempt there, which counts as no step
 * @property {Call | null} action what was done; null where the run stopped after a look
 * @property {number | null} picture the call whose picture shows the page before the action
 * @property {boolean} stale whether that picture is from an earlier step
 * @property {Element[]} elements what was listed with that picture
 * @property {number | null} after the call whose picture shows the page after the action
 * @property {string | null} pseudocode the program as the agent saw it last before the action
 * @property {string | null} pseudocodeAfter the program as the agent saw it next
 * @property {string | null} reasoning what the agent gave as its reasons
 */

/** @param {Call} call */
const isLook = call => ['observe', 'block_catalogue', 'screenshot'].includes(call.call.api);

/** @param {Call | null} action */
const isEnd = action => action === null || ['done', 'failed'].includes(action.call.api);

/** @param {Call} call */
const reasonOf = call => {
    const said = call.call.note ?? call.reasoning ?? call.call.args?.reasoning ?? call.call.args?.reason;
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
        const ends = isEnd(action);
        steps.push({number: call.step, ends, action, ...seen, stale, after: null, pseudocodeAfter: null, reasoning: action && reasonOf(action)});
        fresh = false;
    };
    let open = false;
    calls.forEach((call, index) => {
        if (!isLook(call)) {
            close(call, call);
        }
        open = isLook(call);
        // What an action's own reply shows is what the next one begins with.
        const data = call.reply?.data ?? {};
        if (call.picture) {
            seen.picture = index;
            seen.elements = data.elements ?? [];
            fresh = true;
        }
        if (typeof data.pseudocode === 'string') seen.pseudocode = data.pseudocode;
    });
    if (open) close(calls[calls.length - 1], null);
    steps.forEach((step, i) => {
        const next = steps[i + 1] ?? {...seen, stale: !fresh};
        step.after = next.stale || next.picture === step.picture ? null : next.picture;
        step.pseudocodeAfter = next.pseudocode;
    });
    return steps;
};
