// @ts-check
// Runs a function that the caller wrote, with the handles that the reference server gives it (
// custom_js). Offered only where the operator allowed page scripts.

/** @type {(source: string) => unknown} indirect, so that the source sees globals only */
// The caller's source is the one thing to run here.
// eslint-disable-next-line no-eval
const evaluate = source => (0, eval)(`(${source}\n)`);

/**
 * @param {unknown} value whatever the function gave
 * @returns {any} what of it can be told as JSON
 */
const tellable = value => {
    const text = JSON.stringify(value);
    return text === undefined ? null : JSON.parse(text);
};

/** @type {import('../../types/page').PageFn<{source: string, payload: any}, any>} */
module.exports = async (ctx, {source, payload}) => {
    const {vm, SB, workspace: ws} = ctx;
    let written;
    try {
        written = evaluate(source);
    } catch (error) {
        ctx.fail('invalid_js_fn', `the source is no function: ${error}`);
    }
    if (typeof written !== 'function') ctx.fail('invalid_js_fn', 'the source is no function', 'send a function expression');
    const handles = {vm, SB, ws, payload, getVM: () => vm, getWorkspace: () => ws, getScratchBlocks: () => SB};
    try {
        return tellable(await /** @type {(handles: any) => any} */ (written)(handles));
    } catch (error) {
        return ctx.fail('custom_js_error', String((error && /** @type {any} */ (error).stack) || error));
    }
};
